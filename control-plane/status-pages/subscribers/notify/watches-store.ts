import type { Db } from 'mongodb';
import type { Transaction } from '../../../storage/transaction.js';
import type { WatchDocument } from '../documents.js';

/** Which pages have subscribers, and when each is to be compiled. */
export interface WatchStore {
  ensureIndexes(): Promise<void>;
  /** Begins to watch the page of a confirmed subscriber, or goes on. */
  watch(tx: Transaction, page: Pick<WatchDocument, '_id' | 'workspace_id'>, nowMs: number): Promise<void>;
  /** The page has changed: it is compiled at the next tick, if it has subscribers. */
  wake(tx: Transaction, workspaceId: string, pageId: string): Promise<void>;
  pageDeleted(tx: Transaction, workspaceId: string, pageId: string, nowMs: number): Promise<void>;
  deletedPages(rowsMax: number): Promise<WatchDocument[]>;
  due(nowMs: number, rowsMax: number): Promise<WatchDocument[]>;
  /** Before the page is compiled, so that a change meanwhile has it compiled again. */
  postpone(watch: WatchDocument, nextAtMs: number): Promise<void>;
  compiled(
    tx: Transaction,
    watch: WatchDocument,
    change: Partial<Pick<WatchDocument, 'active' | 'primed' | 'sending_since_ms'>>,
  ): Promise<boolean>;
  /** Pages with updates that wait to be sent, the one that waits longest for its turn first. */
  sending(rowsMax: number): Promise<WatchDocument[]>;
  served(tx: Transaction, watch: WatchDocument, nowMs: number): Promise<void>;
  /** Nothing of the page waits any more. */
  sent(tx: Transaction, watch: WatchDocument): Promise<void>;
  /** Ends the watch of a page without subscribers, unless one has confirmed since it was read. */
  end(watch: WatchDocument): Promise<void>;
  remove(watch: WatchDocument): Promise<void>;
  /** For the health of the installation. */
  backlog(countMax: number): Promise<{ waiting: number; oldestMs: number | null }>;
}

export function createWatchStore(db: Db): WatchStore {
  const watches = db.collection<WatchDocument>('status_page_watches');
  const own = ({ _id, workspace_id }: Pick<WatchDocument, '_id' | 'workspace_id'>) => ({ _id, workspace_id });
  const fresh = (nowMs: number) => ({
    created_at_ms: nowMs,
    primed: false,
    active: [],
    sending_since_ms: null,
    served_at_ms: 0,
  });
  return {
    async ensureIndexes() {
      await watches.createIndexes([
        { key: { workspace_id: 1 } },
        { key: { next_at_ms: 1 } },
        { key: { served_at_ms: 1 }, partialFilterExpression: { sending_since_ms: { $gt: 0 } } },
        { key: { page_deleted: 1 }, sparse: true },
      ]);
    },
    async watch(tx, page, nowMs) {
      await watches.updateOne(
        own(page),
        { $setOnInsert: { ...fresh(nowMs), next_at_ms: nowMs }, $inc: { confirmed: 1 } },
        { session: tx.session, upsert: true },
      );
    },
    async wake(tx, workspaceId, pageId) {
      const page = { _id: pageId, workspace_id: workspaceId };
      await watches.updateOne(page, { $set: { next_at_ms: 0 } }, { session: tx.session });
    },
    async pageDeleted(tx, workspaceId, pageId, nowMs) {
      await watches.updateOne(
        { _id: pageId, workspace_id: workspaceId },
        { $set: { page_deleted: true }, $setOnInsert: { ...fresh(nowMs), next_at_ms: nowMs, confirmed: 0 } },
        { session: tx.session, upsert: true },
      );
    },
    deletedPages: (rowsMax) => watches.find({ page_deleted: true }).limit(rowsMax).toArray(),
    due: (nowMs, rowsMax) =>
      watches
        .find({ next_at_ms: { $lte: nowMs }, page_deleted: { $exists: false } })
        .sort({ next_at_ms: 1 })
        .limit(rowsMax)
        .toArray(),
    async postpone(watch, nextAtMs) {
      await watches.updateOne(own(watch), { $set: { next_at_ms: nextAtMs } });
    },
    async compiled(tx, watch, change) {
      const { matchedCount } = await watches.updateOne(
        { ...own(watch), page_deleted: { $exists: false } },
        { $set: change },
        { session: tx.session },
      );
      return matchedCount === 1;
    },
    sending: (rowsMax) =>
      watches
        .find({ sending_since_ms: { $gt: 0 } })
        .sort({ served_at_ms: 1 })
        .limit(rowsMax)
        .toArray(),
    async served(tx, watch, nowMs) {
      await watches.updateOne(own(watch), { $set: { served_at_ms: nowMs } }, { session: tx.session });
    },
    async sent(tx, watch) {
      await watches.updateOne(own(watch), { $set: { sending_since_ms: null } }, { session: tx.session });
    },
    async end(watch) {
      await watches.deleteOne({ ...own(watch), confirmed: watch.confirmed, page_deleted: { $exists: false } });
    },
    async remove(watch) {
      await watches.deleteOne(own(watch));
    },
    async backlog(countMax) {
      const waiting = { sending_since_ms: { $gt: 0 } } as const;
      const oldest = await watches.find(waiting).sort({ sending_since_ms: 1 }).limit(1).toArray();
      return {
        waiting: await watches.countDocuments(waiting, { limit: countMax }),
        oldestMs: oldest[0]?.sending_since_ms ?? null,
      };
    },
  };
}
