import type { SampleValues } from '../sample-values.js';
import type { ControlGroup } from './control-group.js';
import { parsePressure } from './parsers/pressure.js';
import type { SystemFiles } from './system-files.js';

const KINDS = [
  ['cpu', 'PRESSURE_CPU_PERCENT'],
  ['memory', 'PRESSURE_MEMORY_PERCENT'],
  ['io', 'PRESSURE_IO_PERCENT'],
] as const;

export interface Pressure {
  sample(values: SampleValues): void;
}

/** Kernels before 4.20 and kernels without the PSI option have no pressure files. This is usual and not logged. */
export function createPressure(files: SystemFiles, group: ControlGroup): Pressure {
  const sources = KINDS.map(([kind, metric]) => ({
    path: group.pressurePath(kind) ?? `/proc/pressure/${kind}`,
    metric,
  })).filter(({ path }) => files.readOptional(path) !== null);
  return {
    sample(values) {
      for (const { path, metric } of sources) {
        const percent = parsePressure(files.readOptional(path) ?? '');
        if (percent !== null) values.add(metric, '', percent);
      }
    },
  };
}
