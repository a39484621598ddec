import type { Actor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';
import type { AuditAction } from './actions.js';

export type AuditSeverity = 'info' | 'warning' | 'critical';

export interface AuditEvent {
  action: AuditAction;
  resource: { type: string; id: string; name: string };
  /** Never a secret: callers leave such members out, or name them without a value. */
  metadata?: Record<string, unknown>;
  severity?: AuditSeverity;
}

/** Writes the entry in the transaction of the change that it records: neither exists without the other. */
export interface AuditLog {
  record(tx: Transaction, actor: Actor, event: AuditEvent): Promise<void>;
}
