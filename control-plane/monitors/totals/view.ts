import type { UptimeWindow } from '../documents.js';
import type { MonitorTotals } from './schema.js';
import type { TotalsRow } from './store.js';

/** Returns the percentages of a window from what of it was observed and up. */
export type UptimeOf = (
  time: { observed_ms: number; up_ms: number; left_out_ms: number },
  windowMs: number,
) => UptimeWindow;

const DAYS_30_MS = 30 * 86_400_000;
const MS_PER_PERCENT = DAYS_30_MS / 100;

/** Returns the sums of all rows. Each monitor counts in the uptime as much as it was observed. */
export function totalsView(rows: readonly TotalsRow[], uptimeOf: UptimeOf): MonitorTotals {
  const by_status = { up: 0, degraded: 0, down: 0, paused: 0, unknown: 0 };
  const by_type = { http: 0, tcp: 0, ping: 0 };
  const all = { monitors: 0, observed: 0, counted: 0, up: 0 };
  for (const { _id, count, observed, counted, up } of rows) {
    by_status[_id.status] += count;
    by_type[_id.type] += count;
    all.monitors += count;
    all.observed += observed;
    all.counted += counted;
    all.up += up;
  }
  const time = {
    observed_ms: all.counted * MS_PER_PERCENT,
    up_ms: all.up * MS_PER_PERCENT,
    left_out_ms: (all.observed - all.counted) * MS_PER_PERCENT,
  };
  const { uptime, coverage } = uptimeOf(time, Math.max(1, all.monitors) * DAYS_30_MS);
  return { monitors: all.monitors, by_status, by_type, uptime_30d: uptime, coverage_30d: coverage };
}
