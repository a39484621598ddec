import type { Db } from 'mongodb';
import { createNamedCounts, type NamedCounts } from '../storage/named-counts.js';
import { newestFirst, type PageRequest } from '../storage/page.js';
import { createLockAndCount, type LockAndCount } from '../storage/quota-lock.js';
import type { Transaction } from '../storage/transaction.js';
import type { HostDocument, StatusPageDocument } from './documents.js';

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
  /** Of any workspace, like `findBySlug`: the page that has the host name verified. */
  findByVerifiedHost(name: string, tx?: Transaction): Promise<StatusPageDocument | null>;
  /** Whether another workspace names the host at a page too, verified or not. */
  isHostClaimedElsewhere(tx: Transaction, workspaceId: string, name: string): Promise<boolean>;
  /** Returns the other page of the workspace that names one of the hosts. */
  findOtherWithHost(
    tx: Transaction,
    workspaceId: string,
    pageId: string,
    names: readonly string[],
  ): Promise<StatusPageDocument | null>;
  /** Returns pages of any workspace with host names whose check is due, at most `max`. */
  withDueHosts(nowMs: number, max: number): Promise<StatusPageDocument[]>;
  /** Returns public pages of any workspace, by id, after the page with the id `after`. */
  publicAfter(after: string, max: number): Promise<StatusPageDocument[]>;
  /** Stores what a check found, which is no change of the page. */
  saveHosts(tx: Transaction, page: StatusPageDocument, hosts: HostDocument[]): Promise<void>;
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
        // A page without verified names has an empty list, which an index without the filter would not allow twice.
        { key: { verified_hosts: 1 }, unique: true, partialFilterExpression: { verified_hosts: { $gt: '' } } },
        { key: { 'hosts.name': 1 } },
        { key: { 'hosts.next_at_ms': 1 } },
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
    findByVerifiedHost: (name, tx) =>
      pages.findOne({ verified_hosts: name }, tx === undefined ? {} : { session: tx.session }),
    async isHostClaimedElsewhere(tx, workspaceId, name) {
      const others = { 'hosts.name': name, workspace_id: { $ne: workspaceId } };
      return (await pages.countDocuments(others, { session: tx.session, limit: 1 })) > 0;
    },
    findOtherWithHost: (tx, workspaceId, pageId, names) =>
      pages.findOne(
        { 'hosts.name': { $in: [...names] }, workspace_id: workspaceId, _id: { $ne: pageId } },
        { session: tx.session },
      ),
    withDueHosts: (nowMs, max) =>
      pages
        .find({ 'hosts.next_at_ms': { $lte: nowMs } })
        .sort({ 'hosts.next_at_ms': 1 })
        .limit(max)
        .toArray(),
    publicAfter: (after, max) =>
      pages
        .find({ visibility: 'public', _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(max)
        .toArray(),
    async saveHosts(tx, page, hosts) {
      await pages.updateOne(
        { _id: page._id, workspace_id: page.workspace_id, version: page.version },
        { $set: { hosts } },
        { session: tx.session },
      );
    },
    lockAndCount: createLockAndCount(db, 'status_page', (tx, workspaceId, max) =>
      pages.countDocuments({ workspace_id: workspaceId }, { session: tx.session, limit: max }),
    ),
    named: createNamedCounts(pages, ({ title }) => title),
  };
}
