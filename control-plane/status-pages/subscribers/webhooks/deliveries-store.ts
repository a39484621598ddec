import type { Db } from 'mongodb';
import type { Transaction } from '../../../storage/transaction.js';
import type { DeliveryDocument } from '../documents.js';

/** Events that wait for the webhooks of subscribers. */
export interface DeliveryStore {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, delivery: DeliveryDocument): Promise<void>;
  /** Those that are due for the longest, at most `ofWorkspaceMax` of a workspace. */
  due(nowMs: number, rowsMax: number, ofWorkspaceMax: number): Promise<DeliveryDocument[]>;
  retry(
    delivery: DeliveryDocument,
    next: Pick<DeliveryDocument, 'next_attempt_ms' | 'attempts' | 'refusals'>,
  ): Promise<void>;
  remove(delivery: DeliveryDocument): Promise<void>;
  removeOfSubscriber(tx: Transaction, workspaceId: string, subscriberId: string): Promise<void>;
  removeOfPage(workspaceId: string, pageId: string): Promise<void>;
}

export function createDeliveryStore(db: Db): DeliveryStore {
  const deliveries = db.collection<DeliveryDocument>('status_page_deliveries');
  return {
    async ensureIndexes() {
      await deliveries.createIndexes([
        { key: { workspace_id: 1 } },
        { key: { next_attempt_ms: 1 } },
        { key: { subscriber_id: 1 } },
        { key: { page_id: 1 } },
      ]);
    },
    async insert(tx, delivery) {
      await deliveries.insertOne(delivery, { session: tx.session });
    },
    async due(nowMs, rowsMax, ofWorkspaceMax) {
      const workspaces = await deliveries
        .aggregate<{ ids: string[] }>([
          { $match: { next_attempt_ms: { $lte: nowMs } } },
          { $sort: { next_attempt_ms: 1 } },
          // Bodies are large, and a workspace may have thousands of deliveries.
          { $group: { _id: '$workspace_id', ids: { $push: '$_id' }, since: { $first: '$next_attempt_ms' } } },
          { $sort: { since: 1 } },
          { $limit: rowsMax },
          { $project: { ids: { $slice: ['$ids', ofWorkspaceMax] } } },
        ])
        .toArray();
      const ids = workspaces.flatMap((one) => one.ids).slice(0, rowsMax);
      return deliveries.find({ _id: { $in: ids } }).toArray();
    },
    async retry({ _id, workspace_id }, next) {
      await deliveries.updateOne({ _id, workspace_id }, { $set: next });
    },
    async remove({ _id, workspace_id }) {
      await deliveries.deleteOne({ _id, workspace_id });
    },
    async removeOfSubscriber(tx, workspaceId, subscriberId) {
      const own = { subscriber_id: subscriberId, workspace_id: workspaceId };
      await deliveries.deleteMany(own, { session: tx.session });
    },
    async removeOfPage(workspaceId, pageId) {
      await deliveries.deleteMany({ page_id: pageId, workspace_id: workspaceId });
    },
  };
}
