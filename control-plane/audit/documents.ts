import type { AuditAction } from './actions.js';
import type { AuditSeverity } from './audit.js';

/** One document of `audit_log`. Written once; only the sealer adds the two hashes. */
export interface AuditDocument {
  _id: string;
  workspace_id: string;
  at_ms: number;
  action: AuditAction;
  severity: AuditSeverity;
  actor: { id: string | null; email: string; ip: string | null };
  resource: { type: string; id: string; name: string };
  metadata: Record<string, unknown>;
  request_id: string;
  hash: string | null;
  previous_hash: string | null;
  /** true until sealed, then absent: the sealer's partial index stands on it. */
  unsealed?: true;
}

/** Both ends of a workspace's chain, one document of `audit_heads`. */
export interface AuditHeadDocument {
  /** The workspace. */
  _id: string;
  last_id: string;
  hash: string;
  /** Of all entries that were ever sealed, also of those that retention has deleted. */
  count: number;
  /** Of the lease under which it was last moved: a sealer that lost its lease moves nothing. */
  fence: number;
  /** Where the chain begins since retention deleted what the plan no longer keeps; absent before the first time. */
  start?: AuditStart;
}

/** Written in the transaction that deletes, so that `verify` can tell retention from a hand in the database. */
export interface AuditStart {
  /** How many entries retention has deleted. */
  dropped: number;
  /** The hash that the first kept entry follows, or the next one to come where none is kept. */
  previous_hash: string;
  /** The first kept entry; null when none was left. */
  first_id: string | null;
}
