import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundleTests } from '../bundling/tests.js';

/** scripts/bench uses the same folder. */
const OUT = '.cache/build';
/** The compiled tests import the product from build/, as it ships. */
const PRODUCT = ['control-plane', 'kernel', 'node-link', 'probe', 'proto', 'server-agent', 'supervisor'];
/** Their files load most of the product. Those of units load little of it, and some count what each module does. */
const BUNDLED = [join('test', 'api', '/'), join('test', 'system', '/'), join('test', 'faults', '/')];
/** It counts what each module does. */
const NOT_BUNDLED = [join('test', 'api', 'http', 'hostile-bodies.test.ts')];
const BUNDLES = join(OUT, 'bundled');
/** scripts/faults runs them: long scenes of kills, black holes, frozen processes, full disks and several control planes. */
const FAULTS = join('test', 'faults', '/');

export const isFault = (file: string) => file.startsWith(FAULTS);

/** Returns the paths of all test files, those of scripts/faults too, sorted. */
export function testFiles(): string[] {
  return filesBelow('test').filter((file) => file.endsWith('.test.ts'));
}

/** Compiles all tests and scripts once, and returns where the compiled form of a file is. */
export async function compileTests(): Promise<(file: string) => string> {
  // Without the outputs of tests that were moved or removed.
  rmSync(join(OUT, 'test'), { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  await build({
    entryPoints: ['test', 'scripts'].flatMap(filesBelow).filter((file) => file.endsWith('.ts')),
    outdir: OUT,
    outbase: '.',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
  });
  link('build', join('..', '..', 'build'));
  for (const folder of PRODUCT) link(folder, join('..', '..', 'build', folder));
  const compiledOf = (file: string) => join(OUT, file.replace(/\.ts$/, '.js'));
  rmSync(BUNDLES, { recursive: true, force: true });
  await bundleTests(testFiles().filter(isBundled).map(compiledOf), OUT, BUNDLES);
  return (file) => (isBundled(file) ? join(BUNDLES, file.replace(/\.ts$/, '.js')) : compiledOf(file));
}

const isBundled = (file: string): boolean =>
  BUNDLED.some((folder) => file.startsWith(folder)) && !NOT_BUNDLED.includes(file);

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function link(name: string, target: string): void {
  rmSync(join(OUT, name), { recursive: true, force: true });
  symlinkSync(target, join(OUT, name));
}
