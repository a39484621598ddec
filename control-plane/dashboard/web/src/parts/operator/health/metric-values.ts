/** The metrics that the page shows, by name. More than `most` needs a look. */
export const SHOWN_METRICS = [
  { name: 'nodejs_eventloop_lag_p99_seconds', unit: 'seconds', most: 0.25 },
  { name: 'picket_control_plane_stalls_total', unit: 'count', most: 0 },
  { name: 'process_resident_memory_bytes', unit: 'bytes', most: 1_073_741_824 },
] as const;

export type MetricName = (typeof SHOWN_METRICS)[number]['name'];

const LINE = /^([a-z0-9_]+)(?:\{[^}]*\})? (\S+)/;

/**
 * Returns the values of the shown metrics in a text of Prometheus; series with labels are added up.
 * https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 */
export function metricValues(text: string): ReadonlyMap<MetricName, number> {
  const values = new Map<MetricName, number>();
  for (const line of text.split('\n')) {
    const [, name, value] = LINE.exec(line) ?? [];
    const known = SHOWN_METRICS.find((one) => one.name === name)?.name;
    const amount = Number(value);
    if (known !== undefined && Number.isFinite(amount)) values.set(known, (values.get(known) ?? 0) + amount);
  }
  return values;
}
