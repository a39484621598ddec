import { spawn } from 'node:child_process';
import { fail, readTap, type TestResults } from './tap-results.js';

/** After the guard of tap, the time in which a file that tap cannot end may still end by itself. */
const KILL_AFTER_GUARD_MS = 60_000;

export interface FileResults extends TestResults {
  file: string;
  seconds: number;
}

export interface FileRun {
  file: string;
  /** Where the compiled form of the file is. */
  compiled: string;
  /** tap ends the file after this time. It guards against hanging and is no expectation of speed. */
  guardMs: number;
  env: NodeJS.ProcessEnv;
}

/** Runs a test file in a process of its own, and prints its failures and its result. */
export async function runFile({ file, compiled, guardMs, env }: FileRun): Promise<FileResults> {
  const startedAtMs = performance.now();
  const child = spawn(process.execPath, ['--enable-source-maps', compiled], {
    env: { ...env, TAP: '1', TAP_TIMEOUT: String(guardMs / 1_000) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  const timer = setTimeout(() => child.kill('SIGKILL'), guardMs + KILL_AFTER_GUARD_MS);
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
