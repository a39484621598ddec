import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { REQUIRE, TARGET } from '../pack.js';
import { noMapsOfPackages, packagesAtFirstUse, urlsOfModules } from './plugins.js';

/*
 * Replaces the programs that tsc has compiled into build/ with bundles and their source maps. A control plane has more than a
 * thousand modules, and most of its start was the work of finding, reading and linking them one by one. The modules of tsc
 * stay beside the bundles for whatever imports one of them.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAMS = ['control-plane/main.ts', 'control-plane/cli.ts', 'probe/main.ts', 'supervisor/main.ts'];
/** What several programs share, and modules that are loaded at first use. As far below build/ as the programs, see `ownUrl`. */
const CHUNKS = 'chunks/[name]-[hash]';
/** They have native libraries. */
const NOT_BUNDLED = ['koffi', '@node-rs/argon2'];

/** Returns an expression for the URL of the module that tsc has made of a source file. Programs and chunks are one folder deep. */
function ownUrl(source: string): string {
  const module = join('..', relative(ROOT, source)).replace(/\.ts$/, '.js');
  return `new URL(${JSON.stringify(module)}, import.meta.url).href`;
}

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
  plugins: [urlsOfModules(ownUrl), packagesAtFirstUse, noMapsOfPackages],
});
