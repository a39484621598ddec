import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { REQUIRE, TARGET } from './pack.js';

/*
 * Replaces the programs that tsc has compiled into build/ with bundles and their source maps. A control plane has more than a
 * thousand modules, and most of its start was the work of finding, reading and linking them one by one. The modules of tsc
 * stay beside the bundles for whatever imports one of them.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PROGRAMS = ['control-plane/main.ts', 'control-plane/cli.ts', 'probe/main.ts', 'supervisor/main.ts'];
/** What several programs share, and modules that are loaded at first use. As far below build/ as the programs, see `ownUrl`. */
const CHUNKS = 'chunks/[name]-[hash]';
/** They have native libraries. */
const NOT_BUNDLED = ['koffi', '@node-rs/argon2'];

const META_URL = /\bimport\.meta\.url\b/g;
const META_RESOLVE = /\bimport\.meta\.resolve\(/g;

/** Modules find files beside them, such as the list of blacklists, although their code is in another file now. */
const urlsOfModules: Plugin = {
  name: 'import.meta of the module itself',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.')) return undefined;
      const contents = text
        .replace(META_RESOLVE, '((path: string) => new URL(path, import.meta.url).href)(')
        .replace(META_URL, ownUrl(path));
      return { contents, loader: 'ts', resolveDir: dirname(path) };
    });
  },
};

/** Returns an expression for the URL of the module that tsc has made of a source file. Programs and chunks are one folder deep. */
function ownUrl(source: string): string {
  const module = join('..', relative(ROOT, source)).replace(/\.ts$/, '.js');
  return `new URL(${JSON.stringify(module)}, import.meta.url).href`;
}

/** Packages that are loaded at first use stay as they are: those in CommonJS would lose their named exports. */
const packagesAtFirstUse: Plugin = {
  name: 'packages at first use',
  setup({ onResolve }) {
    onResolve({ filter: /^[\w@]/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
  },
};

const EMPTY_MAP = Buffer.from(JSON.stringify({ version: 3, sources: [''], mappings: 'A' })).toString('base64');

/** Stack traces name our own lines. A map of all packages would take 80 MiB of memory. */
const noMapsOfPackages: Plugin = {
  name: 'no source maps of packages',
  setup({ onLoad }) {
    onLoad({ filter: /node_modules.*\.[cm]?js$/ }, ({ path }) => ({
      contents: `${readFileSync(path, 'utf8')}\n//# sourceMappingURL=data:application/json;base64,${EMPTY_MAP}`,
      loader: 'js',
    }));
  },
};

await build({
  absWorkingDir: ROOT,
  entryPoints: PROGRAMS,
  outdir: join(ROOT, 'build'),
  outbase: ROOT,
  chunkNames: CHUNKS,
  ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: TARGET, external: NOT_BUNDLED },
  ...{ sourcemap: true, sourcesContent: false, legalComments: 'none', logLevel: 'warning' },
  // Node.js keeps the text of a program in memory: without its white space, 12 MiB less.
  minifyWhitespace: true,
  banner: { js: REQUIRE },
  plugins: [urlsOfModules, packagesAtFirstUse, noMapsOfPackages],
});
