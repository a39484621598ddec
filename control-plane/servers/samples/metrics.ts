import { isDeviceName, METRICS, type MetricDefinition } from '../../../proto/metrics.js';

const BY_NAME: ReadonlyMap<string, MetricDefinition> = new Map(METRICS.map((metric) => [metric.name, metric]));

/** Returns the definition of a metric by its name in the API. */
export function metricOf(name: string): MetricDefinition | null {
  return BY_NAME.get(name) ?? null;
}

/** Returns the definition for a series name such as `disk_used_percent:/var`; null for a name that cannot exist. */
export function metricOfSeries(series: string): MetricDefinition | null {
  const colon = series.indexOf(':');
  const metric = metricOf(colon < 0 ? series : series.slice(0, colon));
  if (metric === null) return null;
  return colon < 0 || isDevice(metric, series.slice(colon + 1)) ? metric : null;
}

/** Returns whether the metric has devices and the text is a valid device name. */
export function isDevice(metric: MetricDefinition, device: string): boolean {
  return metric.device !== null && isDeviceName(device);
}
