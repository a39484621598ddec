import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../kernel/clock.js';

/** The time for a process of a killed supervisor to end after SIGTERM, before it is killed. */
const END_MS_MAX = 12_000;
const POLL_MS = 50;

const directory = (dataDir: string) => join(dataDir, 'run');

/** Saves the pid of a process, so that the next start can end the process if this supervisor is killed. */
export function saveProcess(dataDir: string, name: string, pid: number | null): void {
  if (pid === null) return;
  mkdirSync(directory(dataDir), { recursive: true, mode: 0o700 });
  writeFileSync(join(directory(dataDir), `${name.replaceAll(' ', '-')}.pid`), JSON.stringify({ pid }));
}

/**
 * Ends the processes that an earlier supervisor of this data directory left behind when it was killed. The pid may
 * belong to another program now, so the command line or the environment of a process must name this data directory.
 */
export async function endLeftovers(dataDir: string, clock: Clock): Promise<void> {
  const names = await readdir(directory(dataDir)).catch(() => []);
  for (const name of names) {
    const file = join(directory(dataDir), name);
    const pid = pidIn(await readFile(file, 'utf8'));
    if (pid !== null && (await isOurs(pid, dataDir))) await end(pid, clock);
    await rm(file, { force: true });
  }
}

/** Returns null for a file that a full disk or a loss of power has cut off. */
function pidIn(text: string): number | null {
  try {
    const { pid } = JSON.parse(text) as { pid?: unknown };
    return Number.isSafeInteger(pid) && Number(pid) > 0 ? Number(pid) : null;
  } catch {
    return null; // The process, if there still is one, keeps its port, which is reported.
  }
}

async function isOurs(pid: number, dataDir: string): Promise<boolean> {
  const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
  const texts = async (file: string) => (await read(file)).split('\0');
  const [args, environment] = await Promise.all([texts('cmdline'), texts('environ')]);
  return args.some((arg) => arg.startsWith(`${dataDir}/`)) || environment.includes(`PICKET_DATA_DIR=${dataDir}`);
}

async function end(pid: number, clock: Clock): Promise<void> {
  const deadline = clock.monotonic() + END_MS_MAX;
  signal(pid, 'SIGTERM');
  while (clock.monotonic() < deadline) {
    if (!signal(pid, 0)) return;
    await clock.sleep(POLL_MS);
  }
  signal(pid, 'SIGKILL');
}

/** Returns whether the process exists. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false; // ESRCH: the process has ended.
  }
}
