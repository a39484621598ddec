import type { Collection, Db, Filter } from 'mongodb';
import { containing } from '../storage/containing.js';
import { createNamedCounts, type NamedCounts } from '../storage/named-counts.js';
import { newestFirst, type PageRequest } from '../storage/page.js';
import { createLockAndCount, type LockAndCount } from '../storage/quota-lock.js';
import type { Transaction } from '../storage/transaction.js';
import type { BackupJobDirectory } from './backup-jobs.js';
import type { BackupJobDocument, JobState } from './documents.js';

export type BackupJobChange = Partial<Omit<BackupJobDocument, '_id' | 'workspace_id' | 'version' | 'changes'>>;

export interface BackupJobFilter {
  /** Part of the name, case-insensitive. */
  q?: string;
  tag?: string;
}

export interface BackupJobStore extends BackupJobDirectory {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, job: BackupJobDocument): Promise<void>;
  list(workspaceId: string, filter: BackupJobFilter, page: PageRequest): Promise<BackupJobDocument[]>;
  /** Returns null when the job no longer has the version and the state of `job`. */
  change(tx: Transaction, job: BackupJobDocument, change: BackupJobChange): Promise<BackupJobDocument | null>;
  /** The same for the state alone, which counts no version. */
  saveState(tx: Transaction, job: BackupJobDocument, state: JobState): Promise<BackupJobDocument | null>;
  remove(tx: Transaction, workspaceId: string, id: string): Promise<boolean>;
  /** Of any workspace: a ping URL does not say which. */
  findByToken(tokenHash: string, tx?: Transaction): Promise<BackupJobDocument | null>;
  /** Returns the jobs of all workspaces that are overdue, the longest overdue first. */
  due(nowMs: number, limit: number): Promise<BackupJobDocument[]>;
  /** Returns the oldest first. */
  oldest(workspaceId: string, rowsMax: number): Promise<BackupJobDocument[]>;
  lockAndCount: LockAndCount;
  named: NamedCounts;
}

export function createBackupJobStore(db: Db): BackupJobStore {
  const jobs = db.collection<BackupJobDocument>('backup_jobs');
  const within = (tx?: Transaction) => (tx === undefined ? {} : { session: tx.session });
  return {
    async ensureIndexes() {
      await jobs.createIndexes([
        { key: { workspace_id: 1, _id: -1 } },
        { key: { token_hash: 1 }, unique: true },
        { key: { due_at_ms: 1 } },
        { key: { 'problem.type': 1, _id: 1 }, partialFilterExpression: { 'problem.type': { $exists: true } } },
      ]);
    },
    async insert(tx, job) {
      await jobs.insertOne(job, { session: tx.session });
    },
    find: (workspaceId, id, tx) => jobs.findOne({ _id: id, workspace_id: workspaceId }, within(tx)),
    findMany: (workspaceId, ids, tx) =>
      jobs.find({ workspace_id: workspaceId, _id: { $in: [...ids] } }, within(tx)).toArray(),
    failing: (afterId, limit) =>
      jobs
        .find({ 'problem.type': { $exists: true }, ...(afterId === null ? {} : { _id: { $gt: afterId } }) })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),
    list(workspaceId, { q, tag }, { after, rowsMax }) {
      const { filter, sort } = newestFirst(after);
      const where: Filter<BackupJobDocument> = { workspace_id: workspaceId, ...filter };
      if (q !== undefined) where.name = containing(q);
      if (tag !== undefined) where.tags = tag;
      return jobs.find(where).sort(sort).limit(rowsMax).toArray();
    },
    async remove(tx, workspaceId, id) {
      const removed = await jobs.deleteOne({ _id: id, workspace_id: workspaceId }, { session: tx.session });
      return removed.deletedCount === 1;
    },
    oldest: (workspaceId, rowsMax) =>
      jobs.find({ workspace_id: workspaceId }).sort({ _id: 1 }).limit(rowsMax).toArray(),
    lockAndCount: createLockAndCount(db, 'backup_job', (tx, workspaceId, max) =>
      jobs.countDocuments({ workspace_id: workspaceId }, { session: tx.session, limit: max }),
    ),
    named: createNamedCounts(jobs, ({ name }) => name),
    ...writes(jobs),
    findByToken: (token_hash, tx) => jobs.findOne({ token_hash }, within(tx)),
    due: (nowMs, limit) =>
      jobs
        .find({ due_at_ms: { $lte: nowMs } })
        .sort({ due_at_ms: 1 })
        .limit(limit)
        .toArray(),
  };
}

function writes(jobs: Collection<BackupJobDocument>): Pick<BackupJobStore, 'change' | 'saveState'> {
  const asRead = ({ _id, workspace_id, version, changes }: BackupJobDocument) => ({
    ...{ _id, workspace_id, version, changes },
  });
  return {
    change: (tx, job, change) =>
      jobs.findOneAndUpdate(
        asRead(job),
        { $set: change, $inc: { version: 1, changes: 1 } },
        { session: tx.session, returnDocument: 'after' },
      ),
    saveState: (tx, job, state) =>
      jobs.findOneAndUpdate(
        asRead(job),
        { $set: state, $inc: { changes: 1 } },
        { session: tx.session, returnDocument: 'after' },
      ),
  };
}
