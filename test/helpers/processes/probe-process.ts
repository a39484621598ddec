import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../../probe/main.ts', import.meta.url));

export interface ProbeProcess {
  child: ChildProcess;
  output(): string;
  /** Resolves with the exit code, or the signal that ended it. */
  exited: Promise<number | NodeJS.Signals | null>;
  kill(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
  /** Resident memory, MiB. */
  rssMib(): number;
  /** CPU seconds used so far. */
  cpuSeconds(): number;
}

/**
 * A real probe process; private targets are allowed, as everything in a test is on loopback. `within` is a command
 * that goes on as the one that follows it, such as `nsenter`.
 */
export function startProbeProcess(
  args: readonly string[],
  env: Record<string, string> = {},
  main: readonly string[] = ['--import', 'tsx', MAIN],
  within: readonly string[] = [],
): ProbeProcess {
  const [command = '', ...rest] = [...within, process.execPath, ...main, ...args];
  const child = spawn(command, rest, {
    env: { PATH: process.env['PATH'] ?? '', PICKET_ALLOW_PRIVATE_TARGETS: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    output += chunk;
  });
  const exited = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  const status = (file: string) => readFileSync(`/proc/${child.pid}/${file}`, 'utf8');
  return {
    child,
    output: () => output,
    exited,
    kill(signal) {
      child.kill(signal);
      return exited;
    },
    rssMib: () => Number(/VmRSS:\s+(\d+)/.exec(status('status'))?.[1]) / 1024,
    cpuSeconds() {
      const fields = status('stat').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
  };
}

/** A folder that goes when the test ends. */
export function temporaryFolder(t: { teardown(run: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'picket-probe-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
