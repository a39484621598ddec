import type { Metric } from '../../../proto/generated/picket/link/v1/Metric.js';
import type { MetricSample, MetricSample__Output } from '../../../proto/generated/picket/link/v1/MetricSample.js';
import { SAMPLE_VALUES_MAX } from '../../../proto/limits.js';
import { seriesName, splitSeries } from '../../../proto/metrics.js';
import { isDevice, metricOf } from './metrics.js';

/** The valid values of a sample message, by series name. */
export interface ParsedSample {
  atMs: number;
  values: Map<string, number>;
  /** The number of values with an unknown metric, out of range, or beyond the limit. */
  valuesDropped: number;
}

/** Returns the valid values of a message: of a known metric, finite and not negative. */
export function parseSample(message: MetricSample__Output): ParsedSample {
  const values = new Map<string, number>();
  let valuesDropped = 0;
  for (const { metric: code, device, value } of message.values) {
    const metric = metricOf(String(code).toLowerCase());
    const isKnown = metric !== null && (device === '' || isDevice(metric, device));
    if (
      !isKnown ||
      !Number.isFinite(value) ||
      value < 0 ||
      value > Number.MAX_SAFE_INTEGER ||
      values.size >= SAMPLE_VALUES_MAX
    ) {
      valuesDropped++;
      continue;
    }
    values.set(seriesName(metric.name, device), value);
  }
  return { atMs: message.atMs, values, valuesDropped };
}

/** Returns the message that `parseSample` parses to these values. */
export function sampleMessage(atMs: number, values: ReadonlyMap<string, number>): MetricSample {
  return {
    atMs,
    values: [...values].map(([series, value]) => {
      const { metric, device } = splitSeries(series);
      return { metric: metric.toUpperCase() as Metric, device, value };
    }),
  };
}
