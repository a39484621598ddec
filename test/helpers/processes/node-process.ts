import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BUILD = new URL('../../../build/', import.meta.url);

/** A probe or an agent in a process of its own. */
export interface NodeProcess {
  child: ChildProcess;
  /** Everything that it has printed so far. */
  output(): string;
  /** Resolves with the exit code, or the signal that ended it. */
  exited: Promise<number | NodeJS.Signals | null>;
  kill(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
}

/**
 * Starts a compiled program as operators run it; private targets are allowed, as everything in a test is on loopback.
 * `within` is a command that runs the command after it, such as `nsenter`.
 */
export function startNodeProcess(
  program: 'probe/main.js' | 'server-agent/main.js',
  args: readonly string[],
  env: Record<string, string> = {},
  within: readonly string[] = [],
): NodeProcess {
  const [command = '', ...rest] = [...within, process.execPath, fileURLToPath(new URL(program, BUILD)), ...args];
  const child = spawn(command, rest, {
    env: { PATH: process.env['PATH'] ?? '', PICKET_ALLOW_PRIVATE_TARGETS: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
  const exited = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  return {
    child,
    output: () => output,
    exited,
    kill(signal) {
      child.kill(signal);
      return exited;
    },
  };
}
