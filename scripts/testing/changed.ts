import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { selectChanged } from './select-changed.js';

/** Returns the tests that the changes since a commit concern, with those that are not committed. Says what it selected. */
export async function changedTests(base: string, tests: readonly string[]): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [...tests],
    outdir: '.cache/import-graph',
    write: false,
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    metafile: true,
    logLevel: 'error',
  });
  const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const changed = changedFiles(base);
  const selection = selectChanged(changed, tests, metafile.inputs, textOf);
  console.log(`${changed.length} files changed since ${base}: ${selection.tests.length} test files`);
  for (const path of selection.unreached) console.log(`no test imports or names ${path}`);
  return selection.tests;
}

function changedFiles(base: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n');
  const paths = [
    ...git('diff', '--name-only', '--no-renames', base, '--'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
  return [...new Set(paths)].filter((path) => path !== '').sort();
}
