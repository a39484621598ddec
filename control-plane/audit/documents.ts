import type { AuditAction, AuditSeverity } from './audit.js';

/** Who acted. */
export interface AuditActor {
  /** null for the system. */
  id: string | null;
  email: string;
  ip: string | null;
  /** The key with which the person acted. Absent if no key was used; entries of earlier versions never have it. */
  api_key?: { id: string; name: string };
}

/** One document of `audit_log`. Written once; only the sealer adds the two hashes. */
export interface AuditDocument {
  _id: string;
  workspace_id: string;
  at_ms: number;
  action: AuditAction;
  severity: AuditSeverity;
  actor: AuditActor;
  resource: { type: string; id: string; name: string };
  metadata: Record<string, unknown>;
  request_id: string;
  hash: string | null;
  previous_hash: string | null;
  /** true until sealed, then absent. The sealer's partial index is on this field. */
  unsealed?: true;
}

/** Both ends of a workspace's chain. One document of `audit_heads`. */
export interface AuditHeadDocument {
  /** The workspace. */
  _id: string;
  last_id: string;
  hash: string;
  /** The number of entries ever sealed, including those that retention has deleted. */
  count: number;
  /** The fence of the lease under which the head last moved. A sealer that lost its lease cannot move it. */
  fence: number;
  /** Where the chain starts after retention deleted old entries; absent before the first deletion. */
  start?: AuditStart;
  /** How often a break of the chain was reported, also one that was known; absent without one. */
  break_reports?: number;
}

/** Written in the transaction that deletes, so that `verify` can tell retention from manipulation. */
export interface AuditStart {
  /** The number of entries that retention has deleted. */
  dropped: number;
  /** The `previous_hash` of the first kept entry, or of the next new entry if none is kept. */
  previous_hash: string;
  /** The id of the first kept entry; null if none was left. */
  first_id: string | null;
}
