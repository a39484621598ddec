import type { TargetGuard } from '../../../kernel/guard/target-guard.js';
import type { HttpOptions } from '../../../proto/generated/picket/link/v1/HttpOptions.js';
import type { MonitorAssignment } from '../../../proto/generated/picket/link/v1/MonitorAssignment.js';
import type { PlanName } from '../../plans/plans.js';
import type { HttpSettings } from '../documents.js';
import type { MonitorLookup } from '../monitors.js';
import type { MonitorType } from '../schema.js';
import { type SecretFields, secretsOf } from '../settings/masks.js';
import { parseTarget } from '../settings/target.js';
import type { DirectoryRow } from './directory-store.js';
import { slotPhaseMs } from './phase.js';

/** Delay between a failed attempt and its retry. */
const RETRY_DELAY_MS = 5_000;

/** What the directory keeps of one monitor. */
export interface DirectoryEntry extends MonitorLookup {
  /** In the canonical form that probes receive. null: the secrets cannot be opened, so no probe can check it. */
  readonly target: string | null;
  readonly http: HttpOptions | null;
}

/** Private addresses are checked when a target is written, and by the probe: a stored target was accepted. */
const ANY_ADDRESS: TargetGuard = { refusal: () => null, hostRefusal: () => null, report: () => {} };

/**
 * Returns the entry of a row, with the opened secrets of the row. `share` stores equal values once: ten thousand
 * monitors have few different locations.
 */
export function directoryEntry(
  row: DirectoryRow,
  opened: SecretFields | null,
  plan: PlanName,
  share: <T>(value: T) => T,
): DirectoryEntry {
  return {
    id: row._id,
    workspace_id: share(row.workspace_id),
    plan,
    type: row.type,
    locations: share(row.locations),
    version: row.version,
    live_from_version: row.live_from_version,
    interval_seconds: row.interval_seconds,
    timeout_ms: row.timeout_ms,
    retries: row.retries,
    confirmations: row.confirmations,
    paused: row.paused_at_ms !== null,
    target: opened === null ? null : canonicalTarget(row.type, opened.url),
    http: opened === null ? null : sharedHttp(opened, share),
  };
}

/** Whether the location has an assignment for the monitor. */
export function isCheckedAt({ paused, target, locations }: DirectoryEntry, location: string): boolean {
  return !paused && target !== null && locations.includes(location);
}

/** Returns the assignment that a location receives; null when the monitor is paused, unreadable or has other locations. */
export function assignmentFor(entry: DirectoryEntry, location: string): MonitorAssignment | null {
  if (entry.target === null || !isCheckedAt(entry, location)) return null;
  const index = entry.locations.indexOf(location);
  return {
    monitorId: entry.id,
    version: entry.version,
    type: entry.type,
    url: entry.target,
    intervalSeconds: entry.interval_seconds,
    phaseMs: slotPhaseMs(entry.id, entry.interval_seconds, index, entry.locations.length),
    timeoutMs: entry.timeout_ms,
    retries: entry.retries,
    retryDelayMs: RETRY_DELAY_MS,
    ...(entry.http === null ? {} : { http: entry.http }),
  };
}

function canonicalTarget(type: MonitorType, url: string): string {
  const parsed = parseTarget(type, url, ANY_ADDRESS);
  return parsed.ok ? parsed.target.canonical : url;
}

/** Options with secrets are not shared: the shared values outlive their monitors. */
function sharedHttp(opened: SecretFields, share: <T>(value: T) => T): HttpOptions | null {
  if (opened.http === null) return null;
  const options = httpOptions(opened.http);
  return secretsOf(opened) === null ? share(options) : options;
}

function httpOptions(http: HttpSettings): HttpOptions {
  return {
    method: http.method,
    expectedStatus: http.expected_status,
    followRedirects: http.follow_redirects,
    ignoreTlsErrors: http.ignore_tls_errors,
    headers: http.headers,
    ...(http.keyword === null ? {} : { keyword: http.keyword }),
    ...(http.keyword_absent === null ? {} : { keywordAbsent: http.keyword_absent }),
    ...(http.body === null ? {} : { body: http.body }),
  };
}
