import type { MetricValue } from '../proto/generated/picket/link/v1/MetricValue.js';
import { DEVICE_CHARACTERS_MAX, METRICS, REPORT_VALUES_MAX } from '../proto/metrics.js';

/** Names of metrics as the protocol has them. */
export type MetricName = Exclude<Extract<MetricValue['metric'], string>, 'METRIC_UNSPECIFIED'>;

/** The values of one report, as they are read. */
export interface ReportValues {
  /** Keeps a value of the whole server (`device` '') or of one device. What is no number is left out. */
  add(metric: MetricName, device: string, value: number): void;
  /** What was kept, the most important first. */
  all(): MetricValue[];
}

const FACTORS: ReadonlyMap<string, number> = new Map(
  METRICS.map(({ name, decimals }) => [name.toUpperCase(), 10 ** decimals]),
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const DEVICE_REFUSED = /[\u0000-\u001f\u007f,]/;

/** A name that a series can be asked for by. */
export function isDeviceName(name: string): boolean {
  return name !== '' && name.length <= DEVICE_CHARACTERS_MAX && !DEVICE_REFUSED.test(name);
}

export function createReportValues(): ReportValues {
  const values: MetricValue[] = [];
  return {
    add(metric, device, value) {
      if (!Number.isFinite(value) || value < 0 || value > Number.MAX_SAFE_INTEGER) return;
      const factor = FACTORS.get(metric) ?? 1;
      values.push({ metric, device, value: Math.round(value * factor) / factor });
    },
    all() {
      if (values.length <= REPORT_VALUES_MAX) return values;
      const whole = values.filter(({ device }) => device === '');
      const ofDevices = values.filter(({ device }) => device !== '');
      const cores = ofDevices.filter(({ metric }) => metric === 'CPU_PERCENT');
      const others = ofDevices.filter(({ metric }) => metric !== 'CPU_PERCENT');
      return [...whole, ...others, ...cores].slice(0, REPORT_VALUES_MAX);
    },
  };
}
