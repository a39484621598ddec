import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Plugin } from 'esbuild';

const META_URL = /(?<!["'])\bimport\.meta\.url\b/g;
const META_RESOLVE_OF_FILE = /\bimport\.meta\.resolve\((?=["']\.)/g;

/**
 * Modules find files beside them, such as the list of blacklists, although their code is in another file now. `urlOf`
 * returns an expression for the URL of the module with this path.
 */
export function urlsOfModules(urlOf: (path: string) => string): Plugin {
  return {
    name: 'import.meta of the module itself',
    setup({ onLoad }) {
      onLoad({ filter: /\.[jt]s$/ }, ({ path }) => {
        if (path.includes('node_modules')) return undefined;
        const text = readFileSync(path, 'utf8');
        if (!text.includes('import.meta.')) return undefined;
        const contents = text
          .replace(META_RESOLVE_OF_FILE, '((path) => new URL(path, import.meta.url).href)(')
          .replace(META_URL, urlOf(path));
        return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js', resolveDir: dirname(path) };
      });
    },
  };
}

/** Packages that are loaded at first use stay as they are: those in CommonJS would lose their named exports. */
export const packagesAtFirstUse: Plugin = {
  name: 'packages at first use',
  setup({ onResolve }) {
    onResolve({ filter: /^[\w@]/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
  },
};

const EMPTY_MAP = Buffer.from(JSON.stringify({ version: 3, sources: [''], mappings: 'A' })).toString('base64');

/** Stack traces name our own lines. A map of all packages of the control plane would take 80 MiB of memory. */
export const noMapsOfPackages: Plugin = {
  name: 'no source maps of packages',
  setup({ onLoad }) {
    onLoad({ filter: /node_modules.*\.[cm]?js$/ }, ({ path }) => ({
      contents: `${readFileSync(path, 'utf8')}\n//# sourceMappingURL=data:application/json;base64,${EMPTY_MAP}`,
      loader: 'js',
    }));
  },
};
