import type { Db } from 'mongodb';
import type { Transaction } from '../../storage/transaction.js';
import type { DomainDayDocument } from '../documents.js';

/** The history of e-mail domains, one line a day. */
export interface DomainDaysStore {
  ensureIndexes(): Promise<void>;
  /** Replaces an earlier check of the same day. Runs in the transaction that saves the check in its domain. */
  put(tx: Transaction, day: DomainDayDocument): Promise<void>;
  /** Newest first, after `afterId`, not before the date `from`. */
  page(
    domain: { workspaceId: string; domainId: string },
    from: string,
    afterId: string | null,
    rowsMax: number,
  ): Promise<DomainDayDocument[]>;
  /** Deletes all days of a deleted domain. There are at most as many as the plan keeps. */
  removeOf(domain: { workspaceId: string; domainId: string }): Promise<void>;
}

export function createDomainDaysStore(db: Db): DomainDaysStore {
  const days = db.collection<DomainDayDocument>('email_domain_days');
  return {
    async ensureIndexes() {
      await days.createIndexes([{ key: { domain_id: 1, _id: -1 } }, { key: { expires_at: 1 }, expireAfterSeconds: 0 }]);
    },
    async put(tx, day) {
      await days.replaceOne({ _id: day._id, workspace_id: day.workspace_id }, day, {
        session: tx.session,
        upsert: true,
      });
    },
    page({ workspaceId, domainId }, from, afterId, rowsMax) {
      const before = afterId === null ? {} : { $lt: afterId };
      return days
        .find({ domain_id: domainId, workspace_id: workspaceId, _id: { $gte: `${domainId}/${from}`, ...before } })
        .sort({ _id: -1 })
        .limit(rowsMax)
        .toArray();
    },
    async removeOf({ workspaceId, domainId }) {
      await days.deleteMany({ domain_id: domainId, workspace_id: workspaceId });
    },
  };
}
