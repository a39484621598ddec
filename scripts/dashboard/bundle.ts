import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { build } from 'vite';

const compress = promisify(brotliCompress);

/** Files for which the compressed form is not much smaller have none. */
const WORTH = 0.9;

/** The page that people see after they signed in. */
const FIRST_PAGE = 'src/parts/overview/overview-page.tsx';

/** What vite says about each chunk. */
type Manifest = Record<string, { file: string; css?: string[]; imports?: string[] }>;

export interface Bundle {
  /** Bytes of scripts and styles that the page loads at once, compressed. */
  app: number;
  entrance: number;
}

/** Builds the pages in `root` into `folder`, with a compressed copy beside each file. */
export async function bundle(root: string, folder: string): Promise<Bundle> {
  await rm(folder, { recursive: true, force: true });
  await build({
    root,
    base: './',
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      // The policy of the pages allows no script in a page.
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      manifest: 'manifest.json',
      rollupOptions: {
        input: [join(root, 'app.html'), join(root, 'entrance.html')],
        // Libraries mark their files with "use client", which means something to servers that render React.
        onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
      },
    },
  });
  const sizes = await compressAll(join(folder, 'assets'));
  const manifest: Manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
  await rm(join(folder, 'manifest.json'));
  return {
    app: sizeOf(manifest, sizes, ['app.html', FIRST_PAGE]),
    entrance: sizeOf(manifest, sizes, ['entrance.html']),
  };
}

/** Resolves to the size of each file as it is sent. */
async function compressAll(folder: string): Promise<ReadonlyMap<string, number>> {
  const names = await readdir(folder);
  const sizes = names.map(async (name): Promise<[string, number]> => {
    const body = await readFile(join(folder, name));
    const small = await compress(body, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } });
    if (small.length >= body.length * WORTH) return [name, body.length];
    await writeFile(join(folder, `${name}.br`), small);
    return [name, small.length];
  });
  return new Map(await Promise.all(sizes));
}

/** Returns the size of everything that these modules load before they show something. */
function sizeOf(manifest: Manifest, sizes: ReadonlyMap<string, number>, modules: readonly string[]): number {
  const files = new Set<string>();
  const seen = new Set<string>();
  const visit = (name: string) => {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`the build has no ${name}`);
    if (seen.has(name)) return;
    seen.add(name);
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file.replace('assets/', ''));
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const name of modules) visit(name);
  return [...files].reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0);
}
