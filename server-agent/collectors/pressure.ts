import type { ReportValues } from '../report-values.js';
import type { ControlGroup } from './control-group.js';
import type { SystemFiles } from './system-files.js';

/** `some avg10=1.23 ...`: part of the last ten seconds in which at least one task had to wait, percent. */
export function parsePressure(text: string): number | null {
  const found = /^some avg10=([\d.]+)/m.exec(text)?.[1];
  return found === undefined ? null : Number(found);
}

const KINDS = [
  ['cpu', 'PRESSURE_CPU_PERCENT'],
  ['memory', 'PRESSURE_MEMORY_PERCENT'],
  ['io', 'PRESSURE_IO_PERCENT'],
] as const;

/** Kernels before 4.20, and those that were built or started without it, have none: nothing is said of that. */
export function createPressure(files: SystemFiles, group: ControlGroup): (values: ReportValues) => void {
  const sources = KINDS.map(([kind, metric]) => ({
    path: group.pressurePath(kind) ?? `/proc/pressure/${kind}`,
    metric,
  })).filter(({ path }) => files.readIfThere(path) !== null);
  return (values) => {
    for (const { path, metric } of sources) {
      const percent = parsePressure(files.readIfThere(path) ?? '');
      if (percent !== null) values.add(metric, '', percent);
    }
  };
}
