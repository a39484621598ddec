import type { CertificateGrade, CheckErrorCode } from '../../proto/check-result.js';
import type { MonitorType } from './schema.js';

/** The HTTP settings of a monitor as stored; every field is present. */
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

/**
 * One document of `monitors`: settings, verdict and newest results together, so that one look-up reads a monitor.
 * This slice writes the settings; the slices results and verdicts write the fields from `last_checked_at_ms` on.
 */
export interface MonitorDocument {
  _id: string;
  workspace_id: string;
  name: string;
  url: string;
  type: MonitorType;
  /** As checked, like `locations` and `confirmations`; see `wanted`. */
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
  /** Tags that it had before, and until when; the oldest first. Maintenance of that time may be for them. Absent: none. */
  tags_past?: { tags: string[]; until_ms: number }[];
  runbook_url: string | null;
  /** What the user set, if it is more than the plan of the workspace allows. Absent or null: the fields above. */
  wanted?: { interval_seconds: number; locations: string[]; confirmations: number | null } | null;
  /**
   * The secrets of `url` and `http`, sealed; there, masks stand for them. null: there are none. Absent: an earlier
   * version stored the monitor, and `url` and `http` contain the secrets themselves.
   */
  sealed?: string | null;
  paused_at_ms: number | null;
  /** The workspace was stopped while the monitor was active, and that set `paused_at_ms`. Absent: it was not. */
  stopped?: true;
  created_at_ms: number;
  updated_at_ms: number;
  /** Counts changes by users, pause and resume included: for `ETag`, assignments and results. */
  version: number;
  /**
   * `live` accepts only results of this version or later: older results are about another target, or about the time
   * before a pause. They still count as history.
   */
  live_from_version: number;
  /** When the newest result that `live` no longer holds was checked (new target, resume); null if there is none. */
  last_checked_at_ms: number | null;
  state: VerdictState;
  live: Record<string, LiveResult>;
  good: Record<string, GoodResult>;
  certificate: CertificateState | null;
  /** Absent or null: users were not notified of any threshold. */
  certificate_told?: CertificateNotice | null;
  /** The certificates of this target, for the timeline. Absent or null: none was seen. */
  certificate_seen?: SeenCertificates | null;
  uptime: UptimeSummary | null;
  /** After a user resolved an incident, no new one opens before this time. */
  resolve_grace_until_ms: number | null;
}

/** Fields that an update, a pause or a resume may write. */
export type MonitorChange = Partial<Omit<MonitorDocument, '_id' | 'workspace_id' | 'version'>>;

/**
 * One document of `monitor_changes`: notes that a monitor was written or removed, so that every control plane reads
 * it again. One per monitor, written in the transaction of the change, removed by TTL.
 */
export interface MonitorChangeDocument {
  /** The id of the monitor. */
  _id: string;
  workspace_id: string;
  /** Counts the changes while the document exists. */
  count: number;
  /** The time of the database, so that differences between the clocks of control planes do not matter. */
  at: Date;
}

/** The newest result of a location, stored on the monitor so that reading or voting needs no second query. */
export interface LiveResult {
  // The first three fields are stored in this order, so that MongoDB compares the newer result as the greater one.
  checked_at_ms: number;
  slot_ms: number;
  attempt: number;
  /** false: the attempt failed and a retry follows. */
  final: boolean;
  received_at_ms: number;
  up: boolean;
  response_time_ms: number;
  http_status: number | null;
  error: { code: CheckErrorCode; message: string } | null;
}

/** The newest successful result of a location, kept while the location fails. The greater document is the newer one. */
export interface GoodResult {
  checked_at_ms: number;
  response_time_ms: number;
}

/** What the verdict remembers of a monitor. Only the verdicts slice writes it, by compare-and-set of `revision`. */
export interface VerdictState {
  revision: number;
  status: 'up' | 'down';
  changed_at_ms: number;
  /** `checked_at_ms` of the newest evaluated result; older results do not change the state. */
  evaluated_through_ms: number;
  /** When the first failed check of the current failure was made; null while no location fails. */
  first_failed_at_ms: number | null;
  /** When the votes first recovered while the status was down; null otherwise. */
  recovering_since_ms: number | null;
  /** Something fails or depends on the time: the sweep evaluates this monitor each second. */
  attention: boolean;
  /** Locations whose newest checks fail, and since when. Absent: none. */
  failing?: Record<string, FailingLocation>;
  /** `checked_at_ms` of the newest result of the first good round; only newer results count for the second round. */
  recovery_mark_ms?: number | null;
  /** When to request the checks of the second good round; null while the monitor does not recover. */
  recheck_at_ms?: number | null;
  /** The last fast confirmation that was requested, and how many in a row; null once no location fails. */
  confirm?: { asked_at_ms: number; tries: number } | null;
  /** The unresolved incident of the outage as the last verdict left it; null without one. */
  incident?: OutageIncident | null;
}

/** The fields of an outage's incident that a verdict needs, so that it does not read the incident each time. */
export interface OutageIncident {
  id: string;
  severity: 'critical' | 'warning';
  /** Maintenance opened it without a notification; it fires when the maintenance ends. */
  awaits_maintenance_end: boolean;
  /** `live_from_version` of the monitor at that time. If it has changed since, the incident may have been resolved. */
  from_version: number;
}

/** A location that fails now. */
export interface FailingLocation {
  /** `live_from_version` of the monitor at that time. If it has changed since, the entry is about another target. */
  from_version: number;
  /** When the first failed check of this failure was made. */
  since_ms: number;
  /** The first result of this failure without a retry left; null before. The location stays down until it succeeds. */
  confirmed_result_id: string | null;
}

/** The last certificate threshold that users were notified of, so that each threshold notifies once. */
export interface CertificateNotice {
  fingerprint: string;
  days: 30 | 14 | 3;
  /** An outage superseded its incident. The incident reopens without a notification when the outage ends. */
  superseded: boolean;
  /** Since when only certificates with more time left were seen; null while this certificate is still presented. */
  good_since_ms: number | null;
}

/** The fields of a certificate that the timeline shows when it is replaced. */
export interface SeenCertificate {
  fingerprint: string;
  issuer: string;
  not_after_ms: number;
}

/** Which certificates a monitor has presented, so that each replacement leaves one line on the timeline. */
export interface SeenCertificates {
  current: SeenCertificate;
  /** Those before it and until when, the newest first. */
  earlier: { fingerprint: string; until_ms: number }[];
  /** How many lines were left since then; the number per day is limited. */
  lines: { since_ms: number; count: number };
}

export interface CertificateState {
  grade: CertificateGrade;
  not_after_ms: number;
  fingerprint: string;
  issuer: string;
  subject: string;
  checked_at_ms: number;
}

/** Percentages of a window as of `computed_at_ms`; `uptime` is null before the first observation. */
export interface UptimeWindow {
  uptime: number | null;
  coverage: number;
  /** Planned maintenance that the uptime leaves out. Absent in an earlier version's summaries. */
  left_out_ms?: number;
  /** What the percentages are of, and what leaves the window from then on. Absent in an earlier version's summaries. */
  sums?: {
    observed_ms: number;
    up_ms: number;
    left_out_ms?: number;
    /** Observed, up and left out time per millisecond in the oldest hour of the window. */
    leaving: { observed: number; up: number; left_out?: number };
  };
}

export interface UptimeSummary {
  computed_at_ms: number;
  day: UptimeWindow;
  week: UptimeWindow;
  month: UptimeWindow;
}
