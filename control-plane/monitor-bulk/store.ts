import { BSON, type Db } from 'mongodb';
import type { FieldError } from '../errors.js';
import type { MonitorImage } from '../monitors/monitors.js';
import { newestFirst, type PageRequest } from '../storage/page.js';
import type { Transaction } from '../storage/transaction.js';
import type { BulkException, BulkItemDocument, BulkJobDocument, KeptImages, RestoredVersion } from './documents.js';
import { BULK_NAMED_MAX } from './schema.js';

/** A job that has parts left, as the runner needs it. */
export type OpenBulkJob = Pick<BulkJobDocument, '_id' | 'workspace_id' | 'failures' | 'retry_at_ms'>;

export interface BulkStore {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, job: BulkJobDocument, items: readonly BulkItemDocument[]): Promise<void>;
  find(workspaceId: string, id: string, tx?: Transaction): Promise<BulkJobDocument | null>;
  /** Without jobs that changed no monitor. */
  list(workspaceId: string, page: PageRequest): Promise<BulkJobDocument[]>;
  /** Whether a job of the workspace has parts left. */
  isBusy(tx: Transaction, workspaceId: string): Promise<boolean>;
  /** Returns what the jobs of a workspace keep for their undo. */
  keptImages(tx: Transaction, workspaceId: string): Promise<KeptImages>;
  /** Returns when the `nth` newest job of a workspace was requested; null if it has fewer. */
  requestedAt(tx: Transaction, workspaceId: string, nth: number): Promise<number | null>;
  /** Returns jobs of all workspaces that have parts left, those after `afterId`, the oldest first. */
  open(afterId: string, jobsMax: number): Promise<OpenBulkJob[]>;
  /** Returns how many jobs of all workspaces have parts left, and when the oldest of them was requested. */
  openJobs(countMax: number): Promise<{ waiting: number; oldestMs: number | null }>;
  /** Notes that the next part of a job could not be written. */
  noteFailure(job: OpenBulkJob, failures: number, retryAtMs: number): Promise<void>;
  /** Ends the work on the items of a job that are left, with a reason. Resolves to how many there were. */
  leaveRest(tx: Transaction, job: BulkJobDocument, error: FieldError): Promise<number>;
  /** Returns the items of a job from a place on, in their order. */
  items(tx: Transaction, job: BulkJobDocument, from: number, limit: number): Promise<BulkItemDocument[]>;
  /** Returns how many items of a job, from a place on, are in a state. */
  countFrom(tx: Transaction, job: BulkJobDocument, state: BulkItemDocument['state'], from: number): Promise<number>;
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
  /**
   * Lets changes that wrote the version `from` of a monitor count it as unchanged in the version `to`, so that they can be
   * undone after a later one was.
   */
  moveVersions(tx: Transaction, workspaceId: string, restored: readonly RestoredVersion[]): Promise<void>;
  startUndo(tx: Transaction, job: BulkJobDocument, undo: NonNullable<BulkJobDocument['undo']>): Promise<boolean>;
  /** Returns jobs whose items are no longer needed. For jobs of earlier versions, that depends on when they finished. */
  obsolete(due: { nowMs: number; finishedBeforeMs: number }, jobsMax: number): Promise<BulkJobDocument[]>;
  /** Returns the monitors that an undo restored only in part, then those that a job left as they were. */
  exceptions(job: BulkJobDocument, rowsMax: number): Promise<BulkException[]>;
  /** Deletes the items of a job. It keeps the names of those that it left as they were, and why. */
  removeItems(job: BulkJobDocument): Promise<void>;
}

export function createBulkStore(db: Db): BulkStore {
  const jobs = db.collection<BulkJobDocument>('monitor_bulk_jobs');
  const items = db.collection<BulkItemDocument>('monitor_bulk_items');
  const exceptions = async (job: BulkJobDocument, rowsMax: number): Promise<BulkException[]> => {
    if (job.skipped + job.kept + (job.without_channels ?? 0) === 0) return [];
    if (job.exceptions !== undefined) return job.exceptions.slice(0, rowsMax);
    return items
      .find({
        ...{ workspace_id: job.workspace_id, state: { $in: ['skipped', 'kept', 'undone'] }, ...ofJob(job, 0) },
        reason: { $ne: null },
      })
      .sort({ state: -1, _id: 1 })
      .limit(rowsMax)
      .project<BulkException>({ _id: 0, monitor_id: 1, name: 1, reason: 1, error: 1 })
      .toArray();
  };
  return {
    async ensureIndexes() {
      await jobs.createIndexes([
        { key: { workspace_id: 1, _id: -1 } },
        { key: { workspace_id: 1 }, name: 'one_open', unique: true, partialFilterExpression: { open: true } },
        { key: { open: 1, _id: 1 }, name: 'open', partialFilterExpression: { open: true } },
        { key: { workspace_id: 1, requested_at_ms: -1 } },
        { key: { workspace_id: 1, has_items: 1 }, name: 'kept', partialFilterExpression: { has_items: true } },
        { key: { clean_at_ms: 1 }, name: 'to_clean', partialFilterExpression: { has_items: true } },
        { key: { expires_at: 1 }, expireAfterSeconds: 0 },
      ]);
      await items.createIndexes([
        { key: { workspace_id: 1, state: 1, _id: 1 } },
        { key: { workspace_id: 1, monitor_id: 1 } },
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
        .find({ workspace_id: workspaceId, monitors: { $gt: 0 }, ...filter })
        .sort(sort)
        .limit(rowsMax)
        .toArray();
    },
    async isBusy(tx, workspaceId) {
      return (await jobs.findOne({ workspace_id: workspaceId, open: true }, { session: tx.session })) !== null;
    },
    async keptImages(tx, workspaceId) {
      const kept = await jobs
        .find({ workspace_id: workspaceId, has_items: true, state: { $ne: 'undone' } }, { session: tx.session })
        .project<Pick<BulkJobDocument, 'monitors' | 'image_bytes' | 'secret_image_bytes'>>({
          ...{ monitors: 1, image_bytes: 1, secret_image_bytes: 1 },
        })
        .toArray();
      const sum = (field: 'monitors' | 'image_bytes' | 'secret_image_bytes') =>
        kept.reduce((total, job) => total + (job[field] ?? 0), 0);
      return { monitors: sum('monitors'), bytes: sum('image_bytes'), secretBytes: sum('secret_image_bytes') };
    },
    async requestedAt(tx, workspaceId, nth) {
      const [job] = await jobs
        .find({ workspace_id: workspaceId }, { session: tx.session, projection: { requested_at_ms: 1 } })
        .sort({ requested_at_ms: -1 })
        .skip(nth - 1)
        .limit(1)
        .toArray();
      return job?.requested_at_ms ?? null;
    },
    open: (afterId, jobsMax) =>
      jobs
        .find({ open: true, _id: { $gt: afterId } })
        .sort({ _id: 1 })
        .limit(jobsMax)
        .project<OpenBulkJob>({ workspace_id: 1, failures: 1, retry_at_ms: 1 })
        .toArray(),
    async openJobs(countMax) {
      const requested = { $ifNull: ['$undo.requested_at_ms', '$requested_at_ms'] };
      const [found] = await jobs
        .aggregate<{ waiting: number; oldestMs: number }>([
          { $match: { open: true } },
          { $limit: countMax },
          { $group: { _id: null, waiting: { $sum: 1 }, oldestMs: { $min: requested } } },
        ])
        .toArray();
      return { waiting: found?.waiting ?? 0, oldestMs: found?.oldestMs ?? null };
    },
    async noteFailure({ _id, workspace_id }, failures, retryAtMs) {
      await jobs.updateOne({ _id, workspace_id, open: true }, { $set: { failures, retry_at_ms: retryAtMs } });
    },
    async leaveRest(tx, job, error) {
      const [from, to] = job.state === 'applying' ? (['pending', 'skipped'] as const) : (['applied', 'kept'] as const);
      const { modifiedCount } = await items.updateMany(
        { workspace_id: job.workspace_id, state: from, ...ofJob(job, job.done) },
        { $set: { state: to, reason: error.message, error, image: null } },
        { session: tx.session },
      );
      return modifiedCount;
    },
    items: (tx, job, from, limit) =>
      items
        .find({ ...ofJob(job, from), workspace_id: job.workspace_id }, { session: tx.session })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),
    countFrom: (tx, job, state, from) =>
      items.countDocuments({ workspace_id: job.workspace_id, state, ...ofJob(job, from) }, { session: tx.session }),
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
    async moveVersions(tx, workspaceId, restored) {
      await items.bulkWrite(
        restored.map(({ monitorId, from, to }) => ({
          updateMany: {
            filter: { workspace_id: workspaceId, monitor_id: monitorId, state: 'applied', version: from },
            update: { $set: { version: to } },
          },
        })),
        { session: tx.session, ordered: false },
      );
    },
    async startUndo(tx, { _id, workspace_id }, undo) {
      const { matchedCount } = await jobs.updateOne(
        { _id, workspace_id, state: 'applied', has_items: true },
        { $set: { state: 'undoing', open: true, done: 0, undo, clean_at_ms: null } },
        { session: tx.session },
      );
      return matchedCount === 1;
    },
    obsolete: ({ nowMs, finishedBeforeMs }, jobsMax) =>
      jobs
        .find({ has_items: true, $or: [{ clean_at_ms: { $lt: nowMs } }, ...ofEarlierVersions(finishedBeforeMs)] })
        .sort({ clean_at_ms: 1 })
        .limit(jobsMax)
        .toArray(),
    exceptions,
    async removeItems(job) {
      const { _id, workspace_id } = job;
      // Written first: an attempt that is cut off is repeated, and finds them here.
      const named = await exceptions(job, BULK_NAMED_MAX);
      if (named.length > 0) await jobs.updateOne({ _id, workspace_id }, { $set: { exceptions: named } });
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

/** Jobs that an earlier version finished have no time of their own for it. */
function ofEarlierVersions(finishedBeforeMs: number) {
  const clean_at_ms = { $exists: false };
  return [
    { clean_at_ms, state: 'applied' as const, finished_at_ms: { $lt: finishedBeforeMs } },
    { clean_at_ms, state: 'undone' as const },
  ];
}

/** Returns the size of an image as stored. */
export function imageBytes(image: MonitorImage): number {
  return BSON.calculateObjectSize(image);
}

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
