import type { MetricValue } from '../proto/generated/picket/link/v1/MetricValue.js';
import { SAMPLE_VALUES_MAX } from '../proto/limits.js';
import { METRICS } from '../proto/metrics.js';

/** The name of a metric in link.proto. */
export type MetricName = Exclude<Extract<MetricValue['metric'], string>, 'METRIC_UNSPECIFIED'>;

/** Collects the values of one sample. */
export interface SampleValues {
  /** Adds a value of the whole server (`device` is '') or of one device. Invalid numbers are left out. */
  add(metric: MetricName, device: string, value: number): void;
  /** Returns the values that fit in a sample, the most important first. */
  all(): MetricValue[];
}

const FACTORS: ReadonlyMap<string, number> = new Map(
  METRICS.map(({ name, decimals }) => [name.toUpperCase(), 10 ** decimals]),
);

export function createSampleValues(): SampleValues {
  const values: MetricValue[] = [];
  return {
    add(metric, device, value) {
      if (!Number.isFinite(value) || value < 0 || value > Number.MAX_SAFE_INTEGER) return;
      const factor = FACTORS.get(metric) ?? 1;
      values.push({ metric, device, value: Math.round(value * factor) / factor });
    },
    all() {
      if (values.length <= SAMPLE_VALUES_MAX) return values;
      const whole = values.filter(({ device }) => device === '');
      const ofDevices = values.filter(({ device }) => device !== '');
      const cores = ofDevices.filter(({ metric }) => metric === 'CPU_PERCENT');
      const others = ofDevices.filter(({ metric }) => metric !== 'CPU_PERCENT');
      return [...whole, ...others, ...cores].slice(0, SAMPLE_VALUES_MAX);
    },
  };
}
