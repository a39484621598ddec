import { toIso } from '../../../kernel/clock.js';
import { redactUrl } from '../settings/masks.js';
import { isHttps } from '../settings/target.js';
import { daysRemaining, medianResponseTime } from '../view.js';
import type { MonitorSummary } from './schema.js';
import type { SummaryRow } from './store.js';

const UNOBSERVED = { uptime: null, coverage: 0 };

/** Returns one line of a list of monitors. The uptime is the stored one, which is some minutes old. */
export function summaryView(row: SummaryRow, nowMs: number): MonitorSummary {
  const { day, month } = row.uptime ?? { day: UNOBSERVED, month: UNOBSERVED };
  return {
    id: row._id,
    name: row.name,
    url: redactUrl(row.url),
    type: row.type,
    status: row.paused_at_ms === null ? row.state.status : 'paused',
    status_changed_at: toIso(row.paused_at_ms ?? row.state.changed_at_ms),
    tags: row.tags,
    uptime_24h: day.uptime,
    coverage_24h: day.coverage,
    uptime_30d: month.uptime,
    coverage_30d: month.coverage,
    response_time_ms: medianResponseTime(row),
    certificate_days_remaining:
      row.certificate !== null && isHttps(row.type, row.url)
        ? daysRemaining(row.certificate.not_after_ms, nowMs)
        : null,
  };
}
