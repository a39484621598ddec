import type { Db } from 'mongodb';
import { newestFirst, type PageRequest } from '../storage/page.js';
import type { Transaction } from '../storage/transaction.js';
import type { BulkItemDocument, BulkJobDocument } from './documents.js';

export interface BulkStore {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, job: BulkJobDocument, items: readonly BulkItemDocument[]): Promise<void>;
  find(workspaceId: string, id: string, tx?: Transaction): Promise<BulkJobDocument | null>;
  list(workspaceId: string, page: PageRequest): Promise<BulkJobDocument[]>;
  /** Whether a job of the workspace has parts left. */
  isBusy(tx: Transaction, workspaceId: string): Promise<boolean>;
  /** Returns how many monitors the jobs of a workspace keep images of. */
  keptImages(tx: Transaction, workspaceId: string): Promise<number>;
  /** Returns jobs of all workspaces that have parts left, the oldest first. */
  open(jobsMax: number): Promise<Pick<BulkJobDocument, '_id' | 'workspace_id'>[]>;
  /** Returns the items of a job from a place on, in their order. */
  items(tx: Transaction, job: BulkJobDocument, from: number, limit: number): Promise<BulkItemDocument[]>;
  /** Returns the items of a job in a state, without their images. */
  itemsIn(
    job: BulkJobDocument,
    state: BulkItemDocument['state'],
    rowsMax: number,
    tx?: Transaction,
  ): Promise<Omit<BulkItemDocument, 'image'>[]>;
  /**
   * Writes items, and the job if its `done` is still `from`. Resolves to false if it is not. A change of its state ends
   * the work on it.
   */
  writePart(
    tx: Transaction,
    job: BulkJobDocument,
    from: number,
    items: readonly BulkItemDocument[],
    change: Partial<BulkJobDocument>,
  ): Promise<boolean>;
  startUndo(tx: Transaction, job: BulkJobDocument, undo: NonNullable<BulkJobDocument['undo']>): Promise<boolean>;
  /** Returns jobs that can no longer be undone and still have items. */
  obsolete(finishedBeforeMs: number, jobsMax: number): Promise<BulkJobDocument[]>;
  /** Deletes the items of a job. */
  removeItems(job: BulkJobDocument): Promise<void>;
}

export function createBulkStore(db: Db): BulkStore {
  const jobs = db.collection<BulkJobDocument>('monitor_bulk_jobs');
  const items = db.collection<BulkItemDocument>('monitor_bulk_items');
  return {
    async ensureIndexes() {
      await jobs.createIndexes([
        { key: { workspace_id: 1, _id: -1 } },
        { key: { workspace_id: 1 }, name: 'one_open', unique: true, partialFilterExpression: { open: true } },
        { key: { open: 1, _id: 1 }, name: 'open', partialFilterExpression: { open: true } },
        { key: { finished_at_ms: 1 }, name: 'with_items', partialFilterExpression: { has_items: true } },
        { key: { expires_at: 1 }, expireAfterSeconds: 0 },
      ]);
      await items.createIndexes([
        { key: { workspace_id: 1, state: 1, _id: 1 } },
        { key: { expires_at: 1 }, expireAfterSeconds: 0 },
      ]);
    },
    async insert(tx, job, fresh) {
      await jobs.insertOne(job, { session: tx.session });
      if (fresh.length > 0) await items.insertMany([...fresh], { session: tx.session, ordered: false });
    },
    find: (workspaceId, id, tx) => jobs.findOne({ _id: id, workspace_id: workspaceId }, inSession(tx)),
    list(workspaceId, { after, rowsMax }) {
      const { filter, sort } = newestFirst(after);
      return jobs
        .find({ workspace_id: workspaceId, ...filter })
        .sort(sort)
        .limit(rowsMax)
        .toArray();
    },
    async isBusy(tx, workspaceId) {
      return (await jobs.findOne({ workspace_id: workspaceId, open: true }, { session: tx.session })) !== null;
    },
    async keptImages(tx, workspaceId) {
      const kept = await jobs
        .find({ workspace_id: workspaceId, has_items: true }, { session: tx.session, projection: { monitors: 1 } })
        .toArray();
      return kept.reduce((sum, { monitors }) => sum + monitors, 0);
    },
    open: (jobsMax) =>
      jobs
        .find({ open: true })
        .sort({ _id: 1 })
        .limit(jobsMax)
        .project<Pick<BulkJobDocument, '_id' | 'workspace_id'>>({ workspace_id: 1 })
        .toArray(),
    items: (tx, job, from, limit) =>
      items
        .find({ ...ofJob(job, from), workspace_id: job.workspace_id }, { session: tx.session })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),
    itemsIn: (job, state, rowsMax, tx) =>
      items
        .find({ workspace_id: job.workspace_id, state, ...ofJob(job, 0) }, inSession(tx))
        .sort({ _id: 1 })
        .limit(rowsMax)
        .project<Omit<BulkItemDocument, 'image'>>({ image: 0 })
        .toArray(),
    async writePart(tx, job, from, changed, change) {
      const { _id, workspace_id, state } = job;
      const ends = change.state !== undefined;
      const { matchedCount } = await jobs.updateOne(
        { _id, workspace_id, state, done: from },
        { $set: change, ...(ends ? { $unset: { open: '' } } : {}) },
        { session: tx.session },
      );
      if (matchedCount === 0) return false;
      if (changed.length === 0) return true;
      await items.bulkWrite(
        changed.map(({ _id: id, workspace_id: workspace, ...fields }) => ({
          updateOne: { filter: { _id: id, workspace_id: workspace }, update: { $set: fields } },
        })),
        { session: tx.session, ordered: false },
      );
      return true;
    },
    async startUndo(tx, { _id, workspace_id }, undo) {
      const { matchedCount } = await jobs.updateOne(
        { _id, workspace_id, state: 'applied', has_items: true },
        { $set: { state: 'undoing', open: true, done: 0, undo } },
        { session: tx.session },
      );
      return matchedCount === 1;
    },
    obsolete: (finishedBeforeMs, jobsMax) =>
      jobs
        .find({
          has_items: true,
          $or: [
            { state: 'undone', finished_at_ms: { $gt: 0 } },
            { state: 'applied', finished_at_ms: { $lt: finishedBeforeMs } },
          ],
        })
        .limit(jobsMax)
        .toArray(),
    async removeItems(job) {
      const { _id, workspace_id } = job;
      for (;;) {
        const page = await items
          .find({ ...ofJob(job, 0), workspace_id }, { projection: { _id: 1 } })
          .limit(REMOVED_PER_CALL_MAX)
          .toArray();
        if (page.length > 0) await items.deleteMany({ _id: { $in: page.map((item) => item._id) }, workspace_id });
        if (page.length < REMOVED_PER_CALL_MAX) break;
      }
      await jobs.updateOne({ _id, workspace_id }, { $set: { has_items: false } });
    },
  };
}

const REMOVED_PER_CALL_MAX = 1_000;
const PLACE_DIGITS = 6;

/** Returns the id of the item at a place of a job. Ids of items sort by their place. */
export function itemId(jobId: string, place: number): string {
  return `${jobId}/${String(place).padStart(PLACE_DIGITS, '0')}`;
}

/** `0` is the character after `/`. */
function ofJob({ _id }: { _id: string }, from: number) {
  return { _id: { $gte: itemId(_id, from), $lt: `${_id}0` } };
}

function inSession(tx?: Transaction) {
  return tx === undefined ? {} : { session: tx.session };
}
