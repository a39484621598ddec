import type { ReportValues } from '../report-values.js';
import type { SystemFiles } from './system-files.js';

/** `/proc/loadavg` over one, five and fifteen minutes. */
export function parseLoad(text: string): [number, number, number] | null {
  const [one, five, fifteen] = text.split(' ').map(Number);
  return one === undefined || five === undefined || fifteen === undefined ? null : [one, five, fifteen];
}

/** `/proc/uptime`: seconds since the start of the machine, those in which it was suspended among them. */
export function parseUptime(text: string): number | null {
  const seconds = Number.parseFloat(text);
  return Number.isFinite(seconds) ? seconds : null;
}

export function readUptime(files: SystemFiles): number | null {
  const text = files.read('/proc/uptime', '/proc/uptime');
  return text === null ? null : parseUptime(text);
}

/** Load and uptime. */
export function sampleMachine(files: SystemFiles, values: ReportValues): void {
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

/** Those that may be seen: all, unless /proc hides other users' processes. */
export function processIds(files: SystemFiles): string[] | null {
  return files.list('/proc', '/proc')?.filter(isProcessId) ?? null;
}

function isProcessId(name: string): boolean {
  const first = name.charCodeAt(0);
  return first >= 48 && first <= 57;
}
