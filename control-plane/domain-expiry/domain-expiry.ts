import type { Transaction } from '../storage/transaction.js';
import type { MonitoredDomainDocument } from './documents.js';

/** Receives the changes of domains. The alert rules implement it. */
export interface MonitoredDomainListener {
  /** Called in the transaction that saves what is known of a domain. */
  checked(tx: Transaction, domain: MonitoredDomainDocument): Promise<void>;
  /** Called when no active monitor is of these domains of the workspace any more. */
  removed(tx: Transaction, workspaceId: string, ids: readonly string[]): Promise<void>;
}

/** A domain as the alert rules see it. */
export type ExpiringDomain = Pick<
  MonitoredDomainDocument,
  '_id' | 'workspace_id' | 'name' | 'registration' | 'is_of_others'
>;

/** The queries of the alert rules. All are limited to a workspace, except `expiring`, which is for jobs. */
export interface MonitoredDomains {
  find(workspaceId: string, id: string, tx?: Transaction): Promise<MonitoredDomainDocument | null>;
  /** Returns the existing domains among these ids, in no order. */
  findMany(workspaceId: string, ids: readonly string[], tx?: Transaction): Promise<ExpiringDomain[]>;
  /** Returns the domains of all workspaces that expire before `beforeMs`, sorted by id, after `afterId`. */
  expiring(beforeMs: number, afterId: string | null, limit: number): Promise<ExpiringDomain[]>;
}
