import type { Actor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';
import type { BackupJobDocument } from './documents.js';

/** Receives the changes of jobs. The alert rules implement it. */
export interface BackupJobListener {
  /** Called in the transaction that changes the state of a job, if it is failing or was failing before. */
  changed(tx: Transaction, job: BackupJobDocument): Promise<void>;
  /** Called when a person deletes or disables a job. */
  ended(tx: Transaction, actor: Actor, job: BackupJobDocument, how: 'deleted' | 'disabled'): Promise<void>;
}

/** The queries that other slices may use. All are limited to a workspace, except `failing`, which is for jobs. */
export interface BackupJobDirectory {
  find(workspaceId: string, id: string, tx?: Transaction): Promise<BackupJobDocument | null>;
  /** Returns the existing jobs among these ids, in no order. */
  findMany(workspaceId: string, ids: readonly string[], tx?: Transaction): Promise<BackupJobDocument[]>;
  /** Returns the failing jobs of all workspaces, sorted by id, after `afterId`. */
  failing(afterId: string | null, limit: number): Promise<BackupJobDocument[]>;
}
