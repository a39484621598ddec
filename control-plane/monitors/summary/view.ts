import { toIso } from '../../../kernel/clock.js';
import { shownUrl } from '../../../kernel/urls/shown-url.js';
import { isHttps } from '../settings/target.js';
import { daysRemaining, medianMs } from '../view.js';
import type { MonitorSummary } from './schema.js';
import type { SummaryRow } from './store.js';

/** Returns one line of a list of monitors. The uptime is the stored one, which is some minutes old. */
export function summaryView(row: SummaryRow, nowMs: number): MonitorSummary {
  const { certificate_until_ms: untilMs = null } = row;
  return {
    id: row._id,
    name: row.name,
    url: shownUrl(row.url),
    type: row.type,
    status: row.paused_at_ms === null ? row.status : 'paused',
    state: row.state,
    status_changed_at: toIso(row.paused_at_ms ?? row.changed_at_ms),
    tags: row.tags,
    uptime_24h: row.uptime_24h ?? null,
    coverage_24h: row.coverage_24h ?? 0,
    uptime_30d: row.uptime_30d ?? null,
    coverage_30d: row.coverage_30d ?? 0,
    response_time_ms: medianMs(row.response_times_ms),
    certificate_days_remaining: untilMs !== null && isHttps(row.type, row.url) ? daysRemaining(untilMs, nowMs) : null,
  };
}
