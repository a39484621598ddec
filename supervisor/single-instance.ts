import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SettingError } from '../kernel/settings.js';

/** The process that uses a data directory. */
interface Holder {
  pid: number;
  /** Of this process only: another process with the same pid started at another time. */
  started: string;
}

const FILE = 'supervisor.json';

/**
 * Marks the data directory as used by this process. Throws SettingError if another one is using it: two supervisors
 * would end each other's processes and open one database twice. A mark of a process that has ended does not count.
 */
export async function claimDataDirectory(dataDir: string): Promise<void> {
  const file = join(dataDir, FILE);
  const holder = parseHolder(await readFile(file, 'utf8').catch(() => ''));
  if (holder !== null && holder.pid !== process.pid && (await startOf(holder.pid)) === holder.started) {
    throw new SettingError('PICKET_DATA_DIR', `${dataDir} is in use by Picket, which runs as process ${holder.pid}`);
  }
  const mine: Holder = { pid: process.pid, started: (await startOf(process.pid)) ?? '' };
  await writeFile(file, JSON.stringify(mine), { mode: 0o600 });
}

function parseHolder(text: string): Holder | null {
  try {
    const { pid, started } = JSON.parse(text) as Partial<Holder>;
    return typeof pid === 'number' && typeof started === 'string' ? { pid, started } : null;
  } catch {
    return null; // No mark, or one that a full disk cut off.
  }
}

/** Returns when a process started, as text that no other process has; null if it does not run. */
async function startOf(pid: number): Promise<string | null> {
  const read = (file: string) => readFile(file, 'utf8').catch(() => null);
  const [boot, stat] = await Promise.all([read('/proc/sys/kernel/random/boot_id'), read(`/proc/${pid}/stat`)]);
  if (stat === null) return null;
  // The name of the program, in parentheses, may contain spaces. proc(5): state is field 3, starttime field 22.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? null : `${boot?.trim() ?? ''}/${fields[19] ?? ''}`;
}
