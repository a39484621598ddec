import type { Actor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';
import type { BlacklistMonitorDocument, CheckDocument } from './documents.js';

/** Receives the changes of a monitor's listings. The alert rules implement it. */
export interface ListingListener {
  /**
   * Called in the transaction that saves a check, for every monitor that is listed or was listed before the check.
   * `monitor` is the saved state.
   */
  checked(tx: Transaction, monitor: BlacklistMonitorDocument, check: CheckDocument): Promise<void>;
  /** Called when a user deletes a monitor. */
  deleted(tx: Transaction, actor: Actor, monitor: BlacklistMonitorDocument): Promise<void>;
}

/** A monitor without the results of its latest check, which are most of the document. */
export type ListedMonitor = Pick<BlacklistMonitorDocument, '_id' | 'workspace_id' | 'target' | 'listings'>;

/** The queries that other slices may use. All are limited to a workspace, except `listed`, which is for jobs. */
export interface BlacklistDirectory {
  find(workspaceId: string, id: string, tx?: Transaction): Promise<BlacklistMonitorDocument | null>;
  /** Returns the existing monitors among these ids, in no order. */
  findMany(workspaceId: string, ids: readonly string[], tx?: Transaction): Promise<ListedMonitor[]>;
  /** Returns the monitors of all workspaces with a listing that is not a policy, sorted by id, after `afterId`. */
  listed(afterId: string | null, limit: number): Promise<ListedMonitor[]>;
}
