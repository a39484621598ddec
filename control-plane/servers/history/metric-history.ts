import { metricOfSeries } from '../samples/metrics.js';
import type { MetricHistory, MetricPoint, ServerIdentity } from '../servers.js';
import { pointsOf } from './points.js';
import type { HistoryReader } from './reader.js';

/** Returns the metric history of servers for alert rules. */
export function createMetricHistory(readHistory: HistoryReader): MetricHistory {
  async function read(
    server: ServerIdentity,
    resolution: 'raw' | '1m',
    [fromMs, toMs]: [number, number],
    metric: string,
    wants: (series: string) => boolean,
  ): Promise<Map<string, MetricPoint[]>> {
    const range = { ...server, fromMs, toMs, metrics: [metric], wants };
    const blocks = await readHistory({ ...range, resolution, pointsMax: Number.POSITIVE_INFINITY });
    return pointsOf(blocks ?? [], fromMs, toMs, ({ times }) => (slot, value) => ({
      atMs: times[slot] as number,
      value,
    }));
  }

  return {
    async raw(server, series, fromMs, toMs) {
      const metric = metricOfSeries(series)?.name;
      if (metric === undefined) return [];
      const found = await read(server, 'raw', [fromMs, toMs + 1], metric, (name) => name === series);
      return found.get(series) ?? [];
    },
    minutes: (server, metric, fromMs, toMs) =>
      read(server, '1m', [fromMs, toMs], metric, (series) => metricOfSeries(series)?.name === metric),
  };
}
