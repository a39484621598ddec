import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, toIso } from '../../../kernel/clock.js';
import type { PointsBudget } from '../../retention/points-budget.js';
import type { ServerDocument } from '../documents.js';
import { TREND_WINDOW_MS, trendOf } from '../rules/disk/trend.js';
import type { MetricHistory } from '../servers.js';
import type { ServerDisk } from './schema.js';

const METRIC = 'disk_used_percent';
const HOUR_MS = 3_600_000;

/**
 * Resolves to when the disks of a server will be full, by mount point: only those that fill up steadily. Throws
 * `rate_limited` while the workspace has read too much history.
 */
export type ReadForecasts = (server: ServerDocument) => Promise<Map<string, NonNullable<ServerDisk['forecast']>>>;

/** Returns the forecasts of disks, by the trend that alert rules evaluate. */
export function createForecasts(needs: {
  history: Pick<MetricHistory, 'minutes'>;
  budget: PointsBudget;
  clock: Clock;
}): ReadForecasts {
  const { history, budget, clock } = needs;
  return async (server) => {
    const forecasts = new Map<string, NonNullable<ServerDisk['forecast']>>();
    // The trend of a server that sends no samples ended with them.
    if (server.status !== 'online') return forecasts;
    budget.admit(server.workspace_id);
    const nowMs = clock.now();
    const identity = { workspaceId: server.workspace_id, serverId: server._id };
    for (const [series, minutes] of await history.minutes(identity, METRIC, nowMs - TREND_WINDOW_MS, nowMs)) {
      if (!series.startsWith(`${METRIC}:`)) continue;
      budget.charge(server.workspace_id, minutes.length);
      // A trend takes about a millisecond, and a server can have many disks.
      await nextTurn();
      const growth = trendOf(minutes)?.growth ?? null;
      if (growth === null) continue;
      const { hoursLeft, pointsPerHour } = growth;
      forecasts.set(series.slice(METRIC.length + 1), {
        full_at: toIso(Math.round(nowMs + hoursLeft * HOUR_MS)),
        points_per_hour: Math.round(pointsPerHour * 100) / 100,
      });
    }
    return forecasts;
  };
}
