import { toIso } from '../../kernel/clock.js';
import type { HistorySlot, LocationStats } from './rollup/history-slot.js';
import { percentUp } from './uptime/uptime.js';

/** The metrics of a monitor. Each has one series over all locations and one per location. */
export const METRIC_NAMES = ['response_time_ms', 'uptime'] as const;
export type MetricName = (typeof METRIC_NAMES)[number];

interface Point {
  t: string;
  v: number;
}
export type MetricSeries = Record<string, Point[]>;

interface SeriesRequest {
  /** Locations of the monitor. */
  locations: readonly string[];
  /** Whether a series was requested; `location` is null for the one over all locations. */
  isRequested(metric: MetricName, location: string | null): boolean;
}

/**
 * Returns the slots as series. The series of assigned locations are present even when empty, so that a client can
 * distinguish a location without data from an unknown one.
 */
export function seriesOf(slots: ReadonlyMap<number, HistorySlot>, request: SeriesRequest): MetricSeries {
  const { locations, isRequested } = request;
  const series: MetricSeries = {};
  const open = (metric: MetricName, location: string | null) => {
    if (isRequested(metric, location)) series[location === null ? metric : `${metric}:${location}`] ??= [];
  };
  const add = (metric: MetricName, location: string | null, startMs: number, v: number | null) => {
    if (v === null || !isRequested(metric, location)) return;
    open(metric, location);
    series[location === null ? metric : `${metric}:${location}`]?.push({ t: toIso(startMs), v });
  };
  for (const metric of METRIC_NAMES) {
    open(metric, null);
    for (const location of locations) open(metric, location);
  }
  for (const [startMs, slot] of [...slots].sort(([a], [b]) => a - b)) {
    add('response_time_ms', null, startMs, averageMs([...slot.locations.values()]));
    add('uptime', null, startMs, percentUp(slot));
    for (const [location, stats] of slot.locations) {
      add('response_time_ms', location, startMs, averageMs([stats]));
      const good = stats.count - stats.failed;
      add('uptime', location, startMs, percentUp({ observed_ms: stats.count, up_ms: good }));
    }
  }
  return series;
}

/** Returns the average response time of the successful checks in milliseconds, to tenths; null without one. */
function averageMs(stats: readonly LocationStats[]): number | null {
  let sum_us = 0;
  let good = 0;
  for (const one of stats) {
    sum_us += one.sum_us;
    good += one.count - one.failed;
  }
  return good === 0 ? null : Math.round(sum_us / good / 100) / 10;
}
