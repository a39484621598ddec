import type { Db } from 'mongodb';
import type { Transaction } from '../../storage/transaction.js';
import { SEALED } from '../chain/store.js';
import type { AuditDocument, AuditHeadDocument } from '../documents.js';
import { trimmedStart } from './trim.js';

/** The part of the audit store that deletes old entries. */
export interface AuditRetentionStore {
  /** Returns the workspaces that have a chain. */
  chained(): Promise<string[]>;
  /**
   * Deletes the oldest sealed entries whose ids sort before `beforeId`, at most `entriesMax`, and records where the
   * chain starts afterwards. Returns the number of deleted entries.
   */
  trim(tx: Transaction, workspaceId: string, beforeId: string, entriesMax: number): Promise<number>;
}

export function createAuditRetentionStore(db: Db): AuditRetentionStore {
  const entries = db.collection<AuditDocument>('audit_log');
  const heads = db.collection<AuditHeadDocument>('audit_heads');
  return {
    chained: () => heads.distinct('_id'),
    async trim(tx, workspaceId, beforeId, entriesMax) {
      const options = { session: tx.session, projection: { hash: 1, previous_hash: 1 }, sort: { _id: 1 } } as const;
      const ofChain = { workspace_id: workspaceId, ...SEALED };
      const head = await heads.findOne({ _id: workspaceId }, { session: tx.session });
      const due = await entries
        .find({ ...ofChain, _id: { $lt: beforeId } }, options)
        .limit(entriesMax)
        .toArray();
      const last = due.at(-1);
      if (head === null || last === undefined) return 0;
      const next = await entries.findOne({ ...ofChain, _id: { $gt: last._id } }, options);
      const start = trimmedStart(head, due, next);
      // The sealer writes to the same document, so on a write conflict one of the two transactions runs again.
      const updated = await heads.updateOne({ _id: workspaceId }, { $set: { start } }, { session: tx.session });
      const ids = due.map(({ _id }) => _id);
      const deleted = await entries.deleteMany({ ...ofChain, _id: { $in: ids } }, { session: tx.session });
      if (updated.matchedCount !== 1 || deleted.deletedCount !== due.length) {
        throw new Error(`The audit chain of ${workspaceId} has changed.`);
      }
      return due.length;
    },
  };
}
