import type { Actor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';

/** `monitor.created`. Each slice declares the actions that it writes. */
export type AuditAction = `${string}.${string}`;

export type AuditSeverity = 'info' | 'warning' | 'critical';

/** What happened. Action, resource and metadata decide the severity of the entry; see `severity.ts`. */
export interface AuditEvent {
  action: AuditAction;
  resource: { type: string; id: string; name: string };
  /** Must not contain a secret: callers leave secret fields out, or give their names without a value. */
  metadata?: Record<string, unknown>;
}

/** Writes each entry in the transaction of the change that it records, so that neither exists without the other. */
export interface AuditLog {
  record(tx: Transaction, actor: Actor, event: AuditEvent): Promise<void>;
  /** Like `record`, for each entry and in their order. Makes one round trip for all entries that delete nothing. */
  recordAll(tx: Transaction, entries: readonly { actor: Actor; event: AuditEvent }[]): Promise<void>;
}
