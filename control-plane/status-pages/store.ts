import type { Db } from 'mongodb';
import { createNamedCounts, type NamedCounts } from '../storage/named-counts.js';
import { newestFirst, type PageRequest } from '../storage/page.js';
import { createLockAndCount, type LockAndCount } from '../storage/quota-lock.js';
import type { Transaction } from '../storage/transaction.js';
import type { StatusPageDocument } from './documents.js';

export type StatusPageChange = Partial<Omit<StatusPageDocument, '_id' | 'workspace_id' | 'version'>>;

export interface StatusPageStore {
  ensureIndexes(): Promise<void>;
  /** Throws E11000 if another page has the slug. */
  insert(tx: Transaction, page: StatusPageDocument): Promise<void>;
  find(workspaceId: string, id: string, tx?: Transaction): Promise<StatusPageDocument | null>;
  list(workspaceId: string, page: PageRequest): Promise<StatusPageDocument[]>;
  /** Returns the pages of the workspace that name any of the monitors or servers, oldest first. */
  naming(
    tx: Transaction,
    workspaceId: string,
    field: 'monitor_id' | 'server_id',
    ids: readonly string[],
  ): Promise<StatusPageDocument[]>;
  /** Returns null when the page no longer has the version of `page`. Throws E11000 like `insert`. */
  change(tx: Transaction, page: StatusPageDocument, change: StatusPageChange): Promise<StatusPageDocument | null>;
  remove(tx: Transaction, workspaceId: string, id: string): Promise<boolean>;
  /** Of any workspace: the address of a page does not say which. */
  findBySlug(slug: string): Promise<StatusPageDocument | null>;
  lockAndCount: LockAndCount;
  named: NamedCounts;
}

export function createStatusPageStore(db: Db): StatusPageStore {
  const pages = db.collection<StatusPageDocument>('status_pages');
  return {
    async ensureIndexes() {
      await pages.createIndexes([
        { key: { workspace_id: 1, _id: -1 } },
        { key: { slug: 1 }, unique: true },
        { key: { workspace_id: 1, 'groups.components.monitor_id': 1 }, name: 'naming_monitor' },
        { key: { workspace_id: 1, 'groups.components.server_id': 1 }, name: 'naming_server' },
      ]);
    },
    async insert(tx, page) {
      await pages.insertOne(page, { session: tx.session });
    },
    find: (workspaceId, id, tx) =>
      pages.findOne({ _id: id, workspace_id: workspaceId }, tx === undefined ? {} : { session: tx.session }),
    list(workspaceId, { after, rowsMax }) {
      const { filter, sort } = newestFirst(after);
      return pages
        .find({ workspace_id: workspaceId, ...filter })
        .sort(sort)
        .limit(rowsMax)
        .toArray();
    },
    naming: (tx, workspaceId, field, ids) =>
      pages
        .find({ workspace_id: workspaceId, [`groups.components.${field}`]: { $in: [...ids] } }, { session: tx.session })
        .sort({ _id: 1 })
        .toArray(),
    change: (tx, page, change) =>
      pages.findOneAndUpdate(
        { _id: page._id, workspace_id: page.workspace_id, version: page.version },
        { $set: change, $inc: { version: 1 } },
        { session: tx.session, returnDocument: 'after' },
      ),
    async remove(tx, workspaceId, id) {
      const removed = await pages.deleteOne({ _id: id, workspace_id: workspaceId }, { session: tx.session });
      return removed.deletedCount === 1;
    },
    findBySlug: (slug) => pages.findOne({ slug }),
    lockAndCount: createLockAndCount(db, 'status_page', (tx, workspaceId, max) =>
      pages.countDocuments({ workspace_id: workspaceId }, { session: tx.session, limit: max }),
    ),
    named: createNamedCounts(pages, ({ title }) => title),
  };
}
