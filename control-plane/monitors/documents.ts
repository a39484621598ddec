import type { CheckErrorCode, MonitorType } from './schema.js';

/** The HTTP side of a monitor as stored; every member is present. */
export interface HttpSettings {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  expected_status: number;
  keyword: string | null;
  keyword_absent: string | null;
  follow_redirects: boolean;
  ignore_tls_errors: boolean;
  headers: Record<string, string>;
  body: string | null;
}

/** A location's newest result of a monitor, kept on the monitor so that a read or a vote needs no second query. */
export interface LiveResult {
  // The first three are stored in this order, so that the greater of two documents is the newer one.
  checked_at_ms: number;
  slot_ms: number;
  attempt: number;
  /** false: a failed try whose retry is still to come. */
  final: boolean;
  received_at_ms: number;
  up: boolean;
  response_time_ms: number;
  http_status: number | null;
  error: { code: CheckErrorCode; message: string } | null;
}

/** A location's newest good result, kept while the location fails. The greater document is the newer one. */
export interface GoodResult {
  checked_at_ms: number;
  response_time_ms: number;
}

/** What the verdict remembers of a monitor. Written only by `evaluate`, by compare-and-set of `revision`. */
export interface VerdictState {
  revision: number;
  status: 'up' | 'down';
  changed_at_ms: number;
  /** `checked_at_ms` of the newest result that has been evaluated; older ones no longer move the state. */
  evaluated_through_ms: number;
  /** When the first failed check of the present trouble was made; null while no location fails. */
  first_failed_at_ms: number | null;
  /** When the votes first were good again while the status is down; null otherwise. */
  recovering_since_ms: number | null;
  /** Something is not as it should be or is time-bound: the sweep looks at this monitor each second. */
  attention: boolean;
  /** Locations whose newest checks fail, and since when. Absent: none. */
  failing?: Record<string, FailingLocation>;
  /** `checked_at_ms` of the newest result of the first good round; only newer ones make the second. */
  recovery_mark_ms?: number | null;
  /** When the second round is to be asked for; null while the monitor does not recover. */
  recheck_at_ms?: number | null;
  /** The last fast confirmation that was asked for, and how often in a row; null once nothing fails. */
  confirm?: { asked_at_ms: number; tries: number } | null;
  /** The unresolved incident of the outage as the verdict left it; null without one. */
  incident?: OutageMemory | null;
}

/** Saves a look at the incident itself for as long as nobody else can have ended it. */
export interface OutageMemory {
  id: string;
  severity: 'critical' | 'warning';
  /** It was opened silently because of maintenance and is to fire when that ends. */
  awaits_maintenance_end: boolean;
  /** The monitor's `live_from_version` then. Another one now: a pause or a new target came between, look again. */
  from_version: number;
}

/** A location that fails now. */
export interface FailingLocation {
  /** The monitor's `live_from_version` at that time: an entry of another one is about another target. */
  from_version: number;
  /** When the first failed check of the run was made. */
  since_ms: number;
  /** The first result of the run whose retries were used up; null before. Until a good result the location stays down. */
  confirmed_result_id: string | null;
}

/** The last certificate threshold that was told, so that none is told twice. */
export interface CertificateTold {
  fingerprint: string;
  days: 30 | 14 | 3;
  /** An outage took the place of its incident, which comes back silently when the outage ends. */
  superseded: boolean;
  /** Since when only certificates with more left were seen; null while this one still is. */
  good_since_ms: number | null;
}

export interface CertificateState {
  grade: 'A+' | 'A' | 'B' | 'C' | 'T' | 'F';
  not_after_ms: number;
  fingerprint: string;
  issuer: string;
  subject: string;
  checked_at_ms: number;
}

/** Percentages of a window as of `computed_at_ms`; null before anything was observed. */
export interface UptimeWindow {
  uptime: number | null;
  coverage: number;
}

export interface UptimeSummary {
  computed_at_ms: number;
  day: UptimeWindow;
  week: UptimeWindow;
  month: UptimeWindow;
}

/** One document of `monitors`: settings, verdict and newest results together, so that reading one is one look-up. */
export interface MonitorDocument {
  _id: string;
  workspace_id: string;
  name: string;
  url: string;
  type: MonitorType;
  interval_seconds: number;
  timeout_ms: number;
  locations: string[];
  http: HttpSettings | null;
  /** null: a majority of the valid votes. */
  confirmations: number | null;
  retries: number;
  /** null: every channel of the workspace. */
  channels: string[] | null;
  tags: string[];
  runbook_url: string | null;
  paused_at_ms: number | null;
  created_at_ms: number;
  updated_at_ms: number;
  /** Counts what people change, settings as well as pause and resume: for `ETag`, assignments and results. */
  version: number;
  /**
   * `live` takes only results of this version or later: an older one speaks of another target, or of the time
   * before a pause. Such a result is still history. The directory's `lookup` names it too.
   */
  live_from_version: number;
  /** When the newest result was checked that `live` has forgotten (another target, a pause); null when none was. */
  last_checked_at_ms: number | null;
  state: VerdictState;
  live: Record<string, LiveResult>;
  good: Record<string, GoodResult>;
  certificate: CertificateState | null;
  /** Absent or null: no threshold was told. */
  certificate_told?: CertificateTold | null;
  uptime: UptimeSummary | null;
  /** A resolved-by-hand incident mutes a new one until then. */
  resolve_grace_until_ms: number | null;
}

/**
 * One document of `monitor_changes`: says that a monitor was written or removed, so that every control plane
 * reads it again. One for each monitor, written in the transaction of the change, removed by TTL.
 */
export interface MonitorChangeDocument {
  /** The monitor. */
  _id: string;
  workspace_id: string;
  /** Counts the changes while the document lives. */
  count: number;
  /** The database's own time at the write, so that the clocks of control planes play no part. */
  at: Date;
}

/**
 * One document of `results`. `_id` is `<monitor>/<slot, 13 digits>/<location>/<attempt>`: it makes a re-sent
 * result a duplicate, and a range of it is a monitor's history in order of time, without a second index.
 */
export interface ResultDocument {
  _id: string;
  workspace_id: string;
  monitor_id: string;
  location: string;
  slot_ms: number;
  attempt: number;
  final: boolean;
  /** schedule, confirm, manual, resume, recovery. */
  reason: string;
  checked_at_ms: number;
  received_at: Date;
  /** How long this result speaks for its location: the interval at the time of the check, in milliseconds. */
  covers_ms: number;
  up: boolean;
  response_time_ms: number;
  timings: {
    dns_ms: number | null;
    connect_ms: number | null;
    tls_ms: number | null;
    ttfb_ms: number | null;
    transfer_ms: number | null;
  };
  http_status: number | null;
  error: { code: CheckErrorCode; message: string } | null;
  address: string | null;
  /** When retention removes it, by the workspace's plan at the time of writing. */
  expires_at: Date;
}

const SLOT_DIGITS = 13;

export function resultId(monitorId: string, slotMs: number, location: string, attempt: number): string {
  return `${monitorId}/${String(slotMs).padStart(SLOT_DIGITS, '0')}/${location}/${attempt}`;
}
