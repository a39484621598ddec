import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { fail, readTap, type TestResults } from './testing/tap-results.js';
import { nextFile } from './testing/test-order.js';

/**
 * Compiles all tests once and runs each test file in a process of its own. Arguments select files or folders; the default
 * is all of them. It replaces `tap run`, whose module loaders and tsx took a quarter to a half of the CPU time of a file.
 */

/** scripts/bench uses the same folder. */
const OUT = '.cache/build';
/** The compiled tests import the product from build/, as it ships. */
const PRODUCT = ['control-plane', 'kernel', 'node-link', 'probe', 'proto', 'server-agent', 'supervisor'];
/** tap ends a file after this time, unless the file sets a longer one. */
const TIMEOUT_SECONDS = 120;
/** The end of a file that tap cannot end. */
const KILL_AFTER_MS = 600_000;
const SLOW_SECONDS = 5;
const SLOW_FILES_MAX = 15;

interface FileResults extends TestResults {
  file: string;
  seconds: number;
}

async function main(selected: readonly string[]): Promise<number> {
  const isSelected = (file: string) => selected.some((path) => file === path || file.startsWith(join(path, '/')));
  const all = filesBelow('test').filter((file) => file.endsWith('.test.ts'));
  const files = selected.length === 0 ? all : all.filter(isSelected);
  if (files.length === 0) throw new Error(`there is no test file in ${selected.join(' ')}`);
  await compile();
  const results = await runAll(files);
  reportSlowFiles(results);
  const sum = (of: 'passed' | 'failed' | 'skipped') => results.reduce((total, one) => total + one[of], 0);
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
  return sum('failed') === 0 ? 0 : 1;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function compile(): Promise<void> {
  // Without the outputs of tests that were moved or removed.
  rmSync(join(OUT, 'test'), { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  await build({
    entryPoints: ['test', 'scripts'].flatMap(filesBelow).filter((file) => file.endsWith('.ts')),
    ...{ outdir: OUT, outbase: '.', format: 'esm', platform: 'node', target: 'node20' },
    ...{ sourcemap: true, sourcesContent: false },
  });
  link('build', join('..', '..', 'build'));
  for (const folder of PRODUCT) link(folder, join('..', '..', 'build', folder));
}

function link(name: string, target: string): void {
  rmSync(join(OUT, name), { recursive: true, force: true });
  symlinkSync(target, join(OUT, name));
}

async function runAll(files: readonly string[]): Promise<FileResults[]> {
  const waiting = [...files];
  const running = new Map<string, Promise<void>>();
  const results: FileResults[] = [];
  const start = async (file: string) => {
    results.push(await run(file));
    running.delete(file);
  };
  do {
    const file = nextFile(waiting, [...running.keys()]);
    if (file === undefined) {
      await Promise.race(running.values());
      continue;
    }
    waiting.splice(waiting.indexOf(file), 1);
    running.set(file, start(file));
  } while (waiting.length + running.size > 0);
  return results;
}

async function run(file: string): Promise<FileResults> {
  const startedAtMs = performance.now();
  const child = spawn(process.execPath, ['--enable-source-maps', join(OUT, file.replace(/\.ts$/, '.js'))], {
    env: { ...process.env, TAP: '1', TAP_TIMEOUT: String(TIMEOUT_SECONDS) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
  const results = await readTap(file, child.stdout);
  const exit = await exited;
  clearTimeout(timer);
  const isEmpty = results.passed + results.skipped === 0;
  if (results.failed === 0 && (exit !== 0 || isEmpty)) {
    fail(results, `${file}: ended with ${exit}${isEmpty ? ' and ran no test' : ''}`);
  }
  const seconds = (performance.now() - startedAtMs) / 1_000;
  for (const failure of results.failures) console.log(failure);
  console.log(`${results.failed === 0 ? 'ok' : 'NOT OK'} ${file} (${seconds.toFixed(1)} s)`);
  return { ...results, file, seconds };
}

function reportSlowFiles(results: readonly FileResults[]): void {
  const slow = results.filter(({ seconds }) => seconds > SLOW_SECONDS).sort((a, b) => b.seconds - a.seconds);
  if (slow.length > 0) console.log(`\nslowest test files`);
  for (const { file, seconds } of slow.slice(0, SLOW_FILES_MAX)) {
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
  }
}

process.exitCode = await main(process.argv.slice(2));
