import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ProbeProcess, startProbeProcess } from './probe-process.js';

const MAIN = fileURLToPath(new URL('../../../server-agent/main.ts', import.meta.url));

/** A real agent process that reports each second, unless `env` says otherwise. */
export function startAgentProcess(args: readonly string[], env: Record<string, string> = {}): ProbeProcess {
  return startProbeProcess(args, { PICKET_AGENT_INTERVAL_SECONDS: '1', ...env }, ['--import', 'tsx', MAIN]);
}

/** Its log, line by line. */
export function logOf(agent: ProbeProcess): { level: number; msg: string; [member: string]: unknown }[] {
  return agent
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}

/** The segments of a node's spool, oldest first. */
export function segmentsOf(dataDir: string): { path: string; bytes: number }[] {
  const folder = join(dataDir, 'spool');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.seg'))
    .sort()
    .map((name) => ({ path: join(folder, name), bytes: statSync(join(folder, name)).size }));
}

/** Children that a process has right now, by all of its threads. */
export function childrenOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  );
}
