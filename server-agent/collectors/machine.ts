import type { SampleValues } from '../sample-values.js';
import type { SystemFiles } from './system-files.js';

/** Returns the load averages over one, five and fifteen minutes of `/proc/loadavg`. */
function parseLoad(text: string): [number, number, number] | null {
  const [one, five, fifteen] = text.split(' ').map(Number);
  return one === undefined || five === undefined || fifteen === undefined ? null : [one, five, fifteen];
}

/** Returns the seconds since the start of the machine, including those in which it was suspended. */
export function readUptime(files: SystemFiles): number | null {
  const text = files.read('/proc/uptime', '/proc/uptime');
  if (text === null) return null;
  const seconds = Number.parseFloat(text);
  return Number.isFinite(seconds) ? seconds : null;
}

/** Adds the load averages and the uptime. */
export function sampleMachine(files: SystemFiles, values: SampleValues): void {
  const text = files.read('/proc/loadavg', '/proc/loadavg');
  const load = text === null ? null : parseLoad(text);
  if (load !== null) {
    values.add('LOAD_1', '', load[0]);
    values.add('LOAD_5', '', load[1]);
    values.add('LOAD_15', '', load[2]);
  }
  const uptime = readUptime(files);
  if (uptime !== null) values.add('UPTIME_SECONDS', '', uptime);
}

/** Returns the visible process ids: all, unless /proc hides the processes of other users. */
export function processIds(files: SystemFiles): string[] | null {
  return files.list('/proc', '/proc')?.filter(isProcessId) ?? null;
}

function isProcessId(name: string): boolean {
  const first = name.charCodeAt(0);
  return first >= 48 && first <= 57;
}
