import { toIso } from '../../kernel/clock.js';
import type { CertificateState, LiveResult, MonitorDocument, UptimeSummary, UptimeWindow } from './documents.js';
import { isStale, voteValidMs } from './live-result.js';
import type { Monitor } from './schema.js';
import { isHttps } from './settings/target.js';
import { wantedOf } from './terms/limited.js';

const DAY_MS = 86_400_000;
const UNOBSERVED: UptimeWindow = { uptime: null, coverage: 0 };

/** What the view of a monitor needs of other slices. */
export interface ViewNeeds {
  /** Whether a probe of the location can check, or could within the last 30 s. */
  hasProbe(code: string): boolean;
  /** Returns the uptime as of now; null before the first observation. */
  uptimeAtRead(monitor: MonitorDocument, nowMs: number): UptimeSummary | null;
}

/**
 * Returns a monitor as the API shows it. Every field comes from the one document, except which locations
 * can check (`hasProbe`).
 */
export function monitorView(monitor: MonitorDocument, needs: ViewNeeds, nowMs: number): Monitor {
  const uptime = needs.uptimeAtRead(monitor, nowMs);
  const { day, week, month } = uptime ?? { day: UNOBSERVED, week: UNOBSERVED, month: UNOBSERVED };
  const lastCheckedMs = lastChecked(monitor);
  const wanted = wantedOf(monitor);
  return {
    id: monitor._id,
    name: monitor.name,
    url: monitor.url,
    type: monitor.type,
    status: monitor.paused_at_ms !== null ? 'paused' : monitor.state.status,
    interval_seconds: wanted.interval_seconds,
    timeout_ms: monitor.timeout_ms,
    locations: wanted.locations,
    limited_by_plan: limitedView(monitor),
    http: monitor.http === null ? null : { ...monitor.http, timeout_ms: monitor.timeout_ms },
    ssl:
      monitor.certificate !== null && isHttps(monitor.type, monitor.url)
        ? certificateView(monitor.certificate, nowMs)
        : null,
    uptime_24h: day.uptime,
    uptime_7d: week.uptime,
    uptime_30d: month.uptime,
    coverage_24h: day.coverage,
    coverage_7d: week.coverage,
    coverage_30d: month.coverage,
    maintenance_seconds_24h: leftOutSeconds(day),
    maintenance_seconds_7d: leftOutSeconds(week),
    maintenance_seconds_30d: leftOutSeconds(month),
    uptime_computed_at: uptime === null ? null : toIso(uptime.computed_at_ms),
    response_time_ms: medianResponseTime(monitor),
    location_status: monitor.locations.map((location) =>
      locationView(monitor, location, needs.hasProbe(location), nowMs),
    ),
    confirmations: wanted.confirmations,
    retries: monitor.retries,
    channels: monitor.channels,
    tags: monitor.tags,
    runbook_url: monitor.runbook_url,
    created_at: toIso(monitor.created_at_ms),
    updated_at: toIso(monitor.updated_at_ms),
    last_checked_at: lastCheckedMs === null ? null : toIso(lastCheckedMs),
    status_changed_at: toIso(monitor.paused_at_ms ?? monitor.state.changed_at_ms),
    paused_at: monitor.paused_at_ms === null ? null : toIso(monitor.paused_at_ms),
  };
}

function leftOutSeconds({ left_out_ms = 0 }: UptimeWindow): number {
  return Math.round(left_out_ms / 1_000);
}

/** Returns how the monitor is checked if its plan allows less than its settings. */
function limitedView({
  wanted,
  interval_seconds,
  locations,
  confirmations,
}: MonitorDocument): Monitor['limited_by_plan'] {
  return wanted === null || wanted === undefined ? null : { interval_seconds, locations, confirmations };
}

/** Returns when the newest result was checked, including results that `live` no longer holds; null before the first. */
export function lastChecked(monitor: Pick<MonitorDocument, 'live' | 'last_checked_at_ms'>): number | null {
  let newest = monitor.last_checked_at_ms;
  for (const result of Object.values(monitor.live)) {
    if (newest === null || result.checked_at_ms > newest) newest = result.checked_at_ms;
  }
  return newest;
}

function certificateView(certificate: CertificateState, nowMs: number): NonNullable<Monitor['ssl']> {
  return {
    grade: certificate.grade,
    expiry: toIso(certificate.not_after_ms),
    days_remaining: daysRemaining(certificate.not_after_ms, nowMs),
    issuer: certificate.issuer,
    subject: certificate.subject,
    fingerprint: certificate.fingerprint,
    checked_at: toIso(certificate.checked_at_ms),
  };
}

/** Returns the whole days that a certificate is still valid; negative once it has expired. */
export function daysRemaining(notAfterMs: number, nowMs: number): number {
  return Math.floor((notAfterMs - nowMs) / DAY_MS);
}

function medianResponseTime(monitor: MonitorDocument): number | null {
  return medianMs(
    monitor.locations.flatMap((location) => {
      const time = monitor.good[location]?.response_time_ms;
      return time === undefined ? [] : [time];
    }),
  );
}

/** Returns the median in whole milliseconds; null without any. */
export function medianMs(times: readonly number[]): number | null {
  const sorted = [...times].sort((a, b) => a - b);
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  return upper === undefined || lower === undefined ? null : Math.round((lower + upper) / 2);
}

function locationView(
  monitor: MonitorDocument,
  location: string,
  hasProbe: boolean,
  nowMs: number,
): Monitor['location_status'][number] {
  const live = monitor.live[location];
  const withoutProbe = hasProbe ? null : 'no_probe';
  if (live === undefined) {
    return { location, status: withoutProbe ?? 'unknown', response_time_ms: null, error: null, checked_at: null };
  }
  return {
    location,
    status: withoutProbe ?? locationStatus(live, monitor.interval_seconds, nowMs),
    response_time_ms: live.up ? Math.round(live.response_time_ms) : null,
    error: live.error,
    checked_at: toIso(live.checked_at_ms),
  };
}

/** Considers only the age of the result: a vote also depends on the quarantine of the location. */
function locationStatus(live: LiveResult, intervalSeconds: number, nowMs: number): 'up' | 'down' | 'unknown' {
  if (isStale(live, voteValidMs(intervalSeconds), nowMs)) return 'unknown';
  return live.up ? 'up' : 'down';
}
