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

/** The end of a workspace's chain, one document of `audit_heads`. */
export interface AuditHeadDocument {
  /** The workspace. */
  _id: string;
  last_id: string;
  hash: string;
  count: number;
  /** Of the lease under which it was last moved: a sealer that lost its lease moves nothing. */
  fence: number;
}
