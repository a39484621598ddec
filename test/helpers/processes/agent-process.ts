import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../wait.js';
import { type NodeProcess, startNodeProcess } from './node-process.js';

/** Starts a real agent process. It takes a sample every second, unless `env` sets another interval. */
export function startAgentProcess(args: readonly string[], env: Record<string, string> = {}): NodeProcess {
  return startNodeProcess('server-agent/main.js', args, { PICKET_AGENT_INTERVAL_SECONDS: '1', ...env });
}

/** Returns the lines of its log. */
export function logOf(agent: NodeProcess): { level: number; msg: string; [member: string]: unknown }[] {
  return agent
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}

/** Returns the segments of the spool of a node, oldest first. */
export function segmentsOf(dataDir: string): { path: string; bytes: number }[] {
  const folder = join(dataDir, 'spool');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.seg'))
    .sort()
    .map((name) => ({ path: join(folder, name), bytes: statSync(join(folder, name)).size }));
}

export const spoolBytes = (dataDir: string): number => segmentsOf(dataDir).reduce((sum, { bytes }) => sum + bytes, 0);

/** Waits until this number of new samples is in the spool, which grows with each sample. */
export async function spoolGrows(dataDir: string, samples: number): Promise<void> {
  let [bytes, grown] = [spoolBytes(dataDir), 0];
  await waitFor(
    `${samples} samples on disk`,
    60_000,
    () => {
      const now = spoolBytes(dataDir);
      if (now > bytes) grown += 1;
      bytes = now;
      return grown >= samples;
    },
    20,
  );
}

/** Returns the current children of all threads of a process. */
export function childrenOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  );
}
