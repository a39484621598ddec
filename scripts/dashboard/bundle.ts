import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type Plugin } from 'vite';

const [toBrotli, toGzip] = [promisify(brotliCompress), promisify(gzip)];

/** Files for which the compressed form is not much smaller have none. */
const WORTH = 0.9;

/** What vite says about each chunk. */
type Manifest = Record<string, { file: string; css?: string[]; imports?: string[] }>;

export interface Bundle {
  /** Bytes of scripts and styles that the page loads at once, compressed: the frame and the overview. */
  app: number;
  entrance: number;
}

/** Builds the pages in `root` into `folder`, with compressed copies beside each file. */
export async function bundle(root: string, folder: string): Promise<Bundle> {
  await rm(folder, { recursive: true, force: true });
  const head = await readFile(join(root, 'head.html'), 'utf8');
  const first = firstModules();
  const [isOfApp, isOfEntrance] = [first.of('app.html'), first.of('entrance.html')];
  await build({
    root,
    base: './',
    configFile: false,
    publicDir: false,
    plugins: [commonHead(head), first.plugin],
    logLevel: 'warn',
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      // The policy of the pages allows no script in a page.
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      // The build has limits of its own, of compressed bytes.
      chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
      manifest: 'manifest.json',
      rollupOptions: {
        input: [join(root, 'app.html'), join(root, 'entrance.html')],
        // A browser on HTTP/1.1 loads six files at a time: what a page needs at once is in as few as possible.
        output: {
          codeSplitting: {
            groups: [
              { name: 'common', priority: 2, test: (id) => isOfApp(id) && isOfEntrance(id) },
              { name: 'app', priority: 1, test: isOfApp },
            ],
          },
        },
        // Libraries mark their files with "use client", which means something to servers that render React.
        onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
      },
    },
  });
  const sizes = await compressAll(join(folder, 'assets'));
  const manifest: Manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'));
  await rm(join(folder, 'manifest.json'));
  return {
    app: sizeOf(manifest, sizes, ['app.html']),
    entrance: sizeOf(manifest, sizes, ['entrance.html']),
  };
}

/** Which modules a page needs at once. `plugin` finds out. */
function firstModules(): { plugin: Plugin; of(page: string): (id: string) => boolean } {
  const byPage = new Map<string, Set<string>>();
  return {
    plugin: {
      name: 'first-modules',
      buildEnd() {
        for (const page of [...this.getModuleIds()].filter((id) => this.getModuleInfo(id)?.isEntry)) {
          const first = new Set<string>([page]);
          // A set goes on to those that are added meanwhile.
          for (const id of first) for (const imported of this.getModuleInfo(id)?.importedIds ?? []) first.add(imported);
          byPage.set(basename(page), first);
        }
      },
    },
    of: (page) => (id) => byPage.get(page)?.has(id) === true,
  };
}

/** Puts into each page of HTML what the heads of all of them have. */
function commonHead(head: string): Plugin {
  return {
    name: 'common-head',
    transformIndexHtml: { order: 'pre', handler: (html) => html.replace('<!-- head.html -->\n', head) },
  };
}

/** Resolves to the size of each file as it is sent. */
async function compressAll(folder: string): Promise<ReadonlyMap<string, number>> {
  const names = await readdir(folder);
  const sizes = names.map(async (name): Promise<[string, number]> => {
    const body = await readFile(join(folder, name));
    const small = await toBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } });
    if (small.length >= body.length * WORTH) return [name, body.length];
    await writeFile(join(folder, `${name}.br`), small);
    await writeFile(join(folder, `${name}.gz`), await toGzip(body, { level: constants.Z_BEST_COMPRESSION }));
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
