import type { Db, Filter } from 'mongodb';
import { newestFirst, type PageRequest } from '../../storage/page.js';
import { createLockAndCount, type LockAndCount } from '../../storage/quota-lock.js';
import type { Transaction } from '../../storage/transaction.js';
import type { PageIncidentDocument, PublicIncident } from './documents.js';

/** On a page. More that last at the same time say nothing more. */
const OPEN_SHOWN_MAX = 50;
const PAST_SHOWN_MAX = 30;
const UPDATES_SHOWN_MAX = 20;

export interface PageIncidentStore {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, incident: PageIncidentDocument): Promise<void>;
  find(workspaceId: string, pageId: string, id: string, tx?: Transaction): Promise<PageIncidentDocument | null>;
  list(workspaceId: string, pageId: string, page: PageRequest): Promise<PageIncidentDocument[]>;
  /** Returns null when it no longer has the version of `incident`. */
  replace(tx: Transaction, incident: PageIncidentDocument): Promise<PageIncidentDocument | null>;
  remove(tx: Transaction, workspaceId: string, id: string): Promise<boolean>;
  removeOfPage(tx: Transaction, workspaceId: string, pageId: string): Promise<void>;
  /**
   * Returns the incidents that are not resolved, then those that were not before `sinceMs`, each the newest first, with their newest
   * updates.
   */
  shown(workspaceId: string, pageId: string, sinceMs: number): Promise<PublicIncident[]>;
  /** Counts the incidents of the page. */
  lockAndCount: LockAndCount<[pageId: string]>;
}

export function createPageIncidentStore(db: Db): PageIncidentStore {
  const incidents = db.collection<PageIncidentDocument>('status_page_incidents');

  /** Without what the public does not see: the texts before edits can be many times as long. */
  function publicOnes(filter: Filter<PageIncidentDocument>, rowsMax: number): Promise<PublicIncident[]> {
    return incidents
      .aggregate<PublicIncident>([
        { $match: filter },
        { $sort: { _id: -1 } },
        { $limit: rowsMax },
        { $set: { updates: { $slice: ['$updates', -UPDATES_SHOWN_MAX] } } },
        { $project: { workspace_id: 0, created_by: 0, 'updates.earlier': 0, 'updates.author': 0 } },
      ])
      .toArray();
  }

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
      return incidents.findOneAndReplace(
        { _id, workspace_id, version },
        { ...incident, version: version + 1 },
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
    async shown(workspaceId, pageId, sinceMs) {
      const ofPage = { workspace_id: workspaceId, page_id: pageId };
      const [open, past] = await Promise.all([
        publicOnes({ ...ofPage, resolved_at_ms: null }, OPEN_SHOWN_MAX),
        publicOnes({ ...ofPage, resolved_at_ms: { $gte: sinceMs } }, PAST_SHOWN_MAX),
      ]);
      return [...open, ...past];
    },
    lockAndCount: createLockAndCount(db, 'status_page_incident', (tx, workspaceId, max, pageId: string) =>
      incidents.countDocuments({ workspace_id: workspaceId, page_id: pageId }, { session: tx.session, limit: max }),
    ),
  };
}
