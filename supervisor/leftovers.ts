import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../kernel/clock.js';

/** Time for a process of a killed supervisor to end by itself before it is killed too. */
const END_MS_MAX = 12_000;
const POLL_MS = 50;

const folder = (dataDir: string) => join(dataDir, 'run');

/** Remembers a process by its pid, so that the next start can end it should this supervisor be killed. */
export function noteProcess(dataDir: string, name: string, pid: number | null): void {
  if (pid === null) return;
  mkdirSync(folder(dataDir), { recursive: true, mode: 0o700 });
  writeFileSync(join(folder(dataDir), `${name.replaceAll(' ', '-')}.pid`), JSON.stringify({ pid }));
}

/**
 * Ends processes that an earlier supervisor of this data directory left when it was killed. A pid that was given
 * to another program since is recognised by its command line, which must name this data directory or this program.
 */
export async function endLeftovers(dataDir: string, clock: Clock): Promise<void> {
  const names = await readdir(folder(dataDir)).catch(() => []);
  for (const name of names) {
    const file = join(folder(dataDir), name);
    const { pid } = JSON.parse(await readFile(file, 'utf8')) as { pid: number };
    if (await isOurs(pid, dataDir)) await end(pid, clock);
    await rm(file, { force: true });
  }
}

async function isOurs(pid: number, dataDir: string): Promise<boolean> {
  const read = (what: string) => readFile(`/proc/${pid}/${what}`, 'utf8').catch(() => '');
  const [command, environment] = await Promise.all([read('cmdline'), read('environ')]);
  return command.includes(`${dataDir}/`) || environment.includes(`PICKET_DATA_DIR=${dataDir}`);
}

async function end(pid: number, clock: Clock): Promise<void> {
  const deadline = clock.monotonic() + END_MS_MAX;
  process.kill(pid, 'SIGTERM');
  while (clock.monotonic() < deadline) {
    if (!isAlive(pid)) return;
    await clock.sleep(POLL_MS);
  }
  process.kill(pid, 'SIGKILL');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // ESRCH: it is gone.
  }
}
