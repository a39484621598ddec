import type { AuditSeverity } from '../audit.js';

export const FORWARDER_TYPES = ['webhook', 'syslog'] as const;
export type ForwarderType = (typeof FORWARDER_TYPES)[number];

export const FORWARD_FORMATS = ['json', 'cef', 'ocsf'] as const;
export type ForwardFormat = (typeof FORWARD_FORMATS)[number];

/** How far a forwarder has come: the receiver has everything up to here. */
export interface ForwardCursor {
  /** The last entry that the receiver accepted or the filter excluded; '' before the first entry. */
  id: string;
  /** The time of that entry, or the `from` of a back-fill; null if there is neither. */
  at_ms: number | null;
  /** The number of entries that the receiver accepted. It never decreases. */
  sequence: number;
  /** The fence of the lease under which the cursor last moved. A driver that lost its lease cannot move it. */
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
  /** Additional trusted certificates, PEM. */
  ca: string | null;
  /** `{auth, signing_secret}` as JSON, encrypted by the secret box. */
  sealed: string;
  auth_set: boolean;
  paused_at_ms: number | null;
  cursor: ForwardCursor;
  /** Failed attempts since the last success. */
  failures: number;
  failing_since_ms: number | null;
  next_attempt_ms: number;
  last_error: string | null;
  last_error_at_ms: number | null;
  /** When the receiver last accepted entries or a heartbeat. */
  last_success_at_ms: number | null;
  created_at_ms: number;
  updated_at_ms: number;
  /** Counts changes by users, for `ETag`. A worker writes only if the version is still the one it read. */
  version: number;
}
