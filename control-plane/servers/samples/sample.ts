import type { Metric } from '../../../proto/generated/picket/link/v1/Metric.js';
import type { MetricReport, MetricReport__Output } from '../../../proto/generated/picket/link/v1/MetricReport.js';
import {
  DEVICE_CHARACTERS_MAX,
  METRICS,
  type MetricDefinition,
  REPORT_VALUES_MAX,
  seriesName,
  splitSeries,
} from '../../../proto/metrics.js';

/** A report as it is used here: values by series name. */
export interface ServerReport {
  atMs: number;
  values: Map<string, number>;
  /** Values that are none of a known metric, out of range, or beyond the limit. */
  valuesDropped: number;
}

const BY_NAME: ReadonlyMap<string, MetricDefinition> = new Map(METRICS.map((metric) => [metric.name, metric]));
/** Control characters and what would end a list of names in a query. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const DEVICE_REFUSED = /[\u0000-\u001f\u007f,]/;

/** The definition of a metric, by its name in the API. */
export function metricOf(name: string): MetricDefinition | null {
  return BY_NAME.get(name) ?? null;
}

/** The definition behind a series name such as `disk_used_percent:/var`; null for a name that cannot exist. */
export function metricOfSeries(series: string): MetricDefinition | null {
  const colon = series.indexOf(':');
  const metric = metricOf(colon < 0 ? series : series.slice(0, colon));
  if (metric === null) return null;
  return colon < 0 || isDevice(metric, series.slice(colon + 1)) ? metric : null;
}

/** Keeps what can be believed: a metric that is known, a finite value that is not negative, each series once. */
export function readReport(message: MetricReport__Output): ServerReport {
  const values = new Map<string, number>();
  let valuesDropped = 0;
  for (const { metric: code, device, value } of message.values) {
    const metric = metricOf(String(code).toLowerCase());
    const known = metric !== null && (device === '' || isDevice(metric, device));
    if (
      !known ||
      !Number.isFinite(value) ||
      value < 0 ||
      value > Number.MAX_SAFE_INTEGER ||
      values.size >= REPORT_VALUES_MAX
    ) {
      valuesDropped++;
      continue;
    }
    values.set(seriesName(metric.name, device), value);
  }
  return { atMs: message.atMs, values, valuesDropped };
}

/** The message that `readReport` reads as these values. */
export function reportMessage(atMs: number, values: ReadonlyMap<string, number>): MetricReport {
  return {
    atMs,
    values: [...values].map(([series, value]) => {
      const { metric, device } = splitSeries(series);
      return { metric: metric.toUpperCase() as Metric, device, value };
    }),
  };
}

function isDevice(metric: MetricDefinition, device: string): boolean {
  return (
    metric.device !== null && device !== '' && device.length <= DEVICE_CHARACTERS_MAX && !DEVICE_REFUSED.test(device)
  );
}
