import { readdir, readFile } from 'node:fs/promises';

/** Linux reports process times in ticks of 1/100 s on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;

/** CPU-seconds (user and system) that a process has used since it was started, without its children. */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Resident memory, MiB. */
export async function rssMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

/** CPU-seconds by name between the call and `read()`. */
export async function cpuMeter(pids: Record<string, number>): Promise<{ read(): Promise<Record<string, number>> }> {
  const read = async () =>
    Object.fromEntries(
      await Promise.all(Object.entries(pids).map(async ([name, pid]) => [name, await cpuSeconds(pid)])),
    );
  const before = await read();
  return {
    async read() {
      const after = await read();
      return Object.fromEntries(Object.keys(pids).map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)]));
    },
  };
}

/** The pid of the process of this name that was told this port on its command line; throws when there is none. */
export async function pidOnPort(name: string, port: number): Promise<number> {
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    // Processes come and go while their list is read.
    const command = await readFile(`/proc/${entry}/comm`, 'utf8').catch(() => '');
    const args = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '');
    if (command.trim() === name && args.split('\0').includes(String(port))) return Number(entry);
  }
  throw new Error(`no ${name} on port ${port}`);
}
