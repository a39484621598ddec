import type { Db } from 'mongodb';
import type { Transaction } from '../../storage/transaction.js';

/** Links and badges on other sites go on to ask for an address. In this time, only its workspace can use it again. */
const KEPT_MS = 30 * 86_400_000;
/** Of one workspace: with more, the one that it gave up first is free again. Otherwise, renaming a page would hold any number. */
const KEPT_PER_WORKSPACE_MAX = 50;

/** One document of `status_page_former_addresses`. */
interface FormerAddress {
  /** The slug. */
  _id: string;
  workspace_id: string;
  /** The document is removed after this time. */
  expires_at: Date;
}

/** Addresses that pages had until a moment ago. */
export interface FormerAddresses {
  ensureIndexes(): Promise<void>;
  /** Keeps the address that a page has given up for its workspace. */
  keep(tx: Transaction, page: { slug: string; workspace_id: string }, nowMs: number): Promise<void>;
  /** Whether the address is kept for another workspace. */
  isKeptFromOthers(tx: Transaction, workspaceId: string, slug: string, nowMs: number): Promise<boolean>;
}

export function createFormerAddresses(db: Db): FormerAddresses {
  const addresses = db.collection<FormerAddress>('status_page_former_addresses');
  return {
    async ensureIndexes() {
      await addresses.createIndexes([{ key: { workspace_id: 1 } }, { key: { expires_at: 1 }, expireAfterSeconds: 0 }]);
    },
    async keep(tx, { slug, workspace_id }, nowMs) {
      const kept = { workspace_id, expires_at: new Date(nowMs + KEPT_MS) };
      await addresses.updateOne({ _id: slug }, { $set: kept }, { upsert: true, session: tx.session });
      const inSession = { session: tx.session };
      const surplus = await addresses
        .find({ workspace_id }, { ...inSession, projection: { _id: 1 } })
        .sort({ expires_at: -1 })
        .skip(KEPT_PER_WORKSPACE_MAX)
        .toArray();
      await addresses.deleteMany({ _id: { $in: surplus.map(({ _id }) => _id) }, workspace_id }, inSession);
    },
    async isKeptFromOthers(tx, workspaceId, slug, nowMs) {
      const others = { _id: slug, workspace_id: { $ne: workspaceId }, expires_at: { $gt: new Date(nowMs) } };
      return (await addresses.countDocuments(others, { session: tx.session, limit: 1 })) > 0;
    },
  };
}
