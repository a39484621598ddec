import type { Db } from 'mongodb';
import { newestFirst, type PageRequest } from '../../storage/page.js';
import { createLockAndCount, type LockAndCount } from '../../storage/quota-lock.js';
import type { Transaction } from '../../storage/transaction.js';
import type { PageIncidentDocument } from './documents.js';

export interface PageIncidentStore {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, incident: PageIncidentDocument): Promise<void>;
  find(workspaceId: string, pageId: string, id: string, tx?: Transaction): Promise<PageIncidentDocument | null>;
  list(workspaceId: string, pageId: string, page: PageRequest): Promise<PageIncidentDocument[]>;
  /** Returns null when it no longer has the version of `incident`. */
  replace(tx: Transaction, incident: PageIncidentDocument): Promise<PageIncidentDocument | null>;
  remove(tx: Transaction, workspaceId: string, id: string): Promise<boolean>;
  removeOfPage(tx: Transaction, workspaceId: string, pageId: string): Promise<void>;
  /** Returns the incidents that are not resolved, or were not before `sinceMs`, the newest first. */
  shown(workspaceId: string, pageId: string, sinceMs: number, rowsMax: number): Promise<PageIncidentDocument[]>;
  /** Counts the incidents of the page. */
  lockAndCount: LockAndCount<[pageId: string]>;
}

export function createPageIncidentStore(db: Db): PageIncidentStore {
  const incidents = db.collection<PageIncidentDocument>('status_page_incidents');
  return {
    async ensureIndexes() {
      await incidents.createIndexes([
        { key: { workspace_id: 1, page_id: 1, _id: -1 } },
        { key: { page_id: 1, resolved_at_ms: -1 } },
      ]);
    },
    async insert(tx, incident) {
      await incidents.insertOne(incident, { session: tx.session });
    },
    find: (workspaceId, pageId, id, tx) =>
      incidents.findOne(
        { _id: id, workspace_id: workspaceId, page_id: pageId },
        tx === undefined ? {} : { session: tx.session },
      ),
    list(workspaceId, pageId, { after, rowsMax }) {
      const { filter, sort } = newestFirst(after);
      return incidents
        .find({ workspace_id: workspaceId, page_id: pageId, ...filter })
        .sort(sort)
        .limit(rowsMax)
        .toArray();
    },
    replace: (tx, incident) => {
      const { _id, workspace_id, version } = incident;
      const { open: _, ...rest } = incident;
      const isOpen = incident.resolved_at_ms === null;
      return incidents.findOneAndReplace(
        { _id, workspace_id, version },
        { ...rest, ...(isOpen ? { open: true } : {}), version: version + 1 },
        { session: tx.session, returnDocument: 'after' },
      );
    },
    async remove(tx, workspaceId, id) {
      const removed = await incidents.deleteOne({ _id: id, workspace_id: workspaceId }, { session: tx.session });
      return removed.deletedCount === 1;
    },
    async removeOfPage(tx, workspaceId, pageId) {
      await incidents.deleteMany({ workspace_id: workspaceId, page_id: pageId }, { session: tx.session });
    },
    shown: (workspaceId, pageId, sinceMs, rowsMax) =>
      incidents
        .find({
          workspace_id: workspaceId,
          page_id: pageId,
          $or: [{ resolved_at_ms: null }, { resolved_at_ms: { $gte: sinceMs } }],
        })
        .sort({ _id: -1 })
        .limit(rowsMax)
        .toArray(),
    lockAndCount: createLockAndCount(db, 'status_page_incident', (tx, workspaceId, max, pageId: string) =>
      incidents.countDocuments({ workspace_id: workspaceId, page_id: pageId }, { session: tx.session, limit: max }),
    ),
  };
}
