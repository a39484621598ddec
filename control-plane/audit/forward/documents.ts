import type { AuditSeverity } from '../audit.js';

export const FORWARDER_TYPES = ['webhook', 'syslog'] as const;
export type ForwarderType = (typeof FORWARDER_TYPES)[number];

export const FORWARD_FORMATS = ['json', 'cef', 'ocsf'] as const;
export type ForwardFormat = (typeof FORWARD_FORMATS)[number];

/** How far a forwarder has come: what is up to here, the receiver has. */
export interface ForwardCursor {
  /** Of the last entry that the receiver took or the filter left out; '' before the first of the chain. */
  id: string;
  /** That entry's time, or the time from which a back-fill was asked for; null when there is none. */
  at_ms: number | null;
  /** Number of the last entry that the receiver took: it counts them, and never goes back. */
  sequence: number;
  /** Of the lease under which it was last moved: a driver that lost its lease moves nothing. */
  fence: number;
}

/** One document of `audit_forwarders`. */
export interface ForwarderDocument {
  _id: string;
  workspace_id: string;
  type: ForwarderType;
  name: string;
  target: string;
  format: ForwardFormat;
  /** null: every severity. */
  severities: AuditSeverity[] | null;
  /** Certificates trusted besides the system's, PEM. */
  ca: string | null;
  /** `{auth, signing_secret}` as JSON, sealed by the secret box. */
  sealed: string;
  auth_set: boolean;
  paused_at_ms: number | null;
  cursor: ForwardCursor;
  /** Failed tries since the last success; 0 is well. */
  failures: number;
  failing_since_ms: number | null;
  next_attempt_ms: number;
  last_error: string | null;
  last_error_at_ms: number | null;
  /** The receiver took entries or a heartbeat. */
  last_success_at_ms: number | null;
  created_at_ms: number;
  updated_at_ms: number;
  /** Counts changes by people, for `ETag`. A driver writes only at the version that it works by. */
  version: number;
}
