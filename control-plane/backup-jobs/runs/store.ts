import type { Db } from 'mongodb';
import { newestFirst, type PageRequest } from '../../storage/page.js';
import type { Transaction } from '../../storage/transaction.js';
import type { RunDocument } from '../documents.js';

/** Of one job. The oldest of more are deleted. */
export const RUNS_KEPT_MAX = 1_000;

export interface BackupRunStore {
  ensureIndexes(): Promise<void>;
  /** Stores a run, or replaces it. */
  save(tx: Transaction, run: RunDocument): Promise<void>;
  /** The newest first. */
  list(workspaceId: string, jobId: string, page: PageRequest): Promise<RunDocument[]>;
  /** Returns the runs that ended in [fromMs, toMs), the oldest first, without their logs. Of very many, the newest. */
  between(workspaceId: string, jobId: string, fromMs: number, toMs: number): Promise<RunDocument[]>;
  /** Deletes the oldest runs of a job beyond `RUNS_KEPT_MAX`. */
  trim(workspaceId: string, jobId: string): Promise<void>;
  removeOf(workspaceId: string, jobId: string): Promise<void>;
}

export function createBackupRunStore(db: Db): BackupRunStore {
  const runs = db.collection<RunDocument>('backup_runs');
  return {
    async ensureIndexes() {
      await runs.createIndexes([
        { key: { workspace_id: 1, job_id: 1, _id: -1 } },
        { key: { expires_at: 1 }, expireAfterSeconds: 0 },
      ]);
    },
    async save(tx, run) {
      const { _id, workspace_id, job_id } = run;
      await runs.replaceOne({ _id, workspace_id, job_id }, run, { session: tx.session, upsert: true });
    },
    list(workspace_id, job_id, { after, rowsMax }) {
      const { filter, sort } = newestFirst(after);
      return runs
        .find({ workspace_id, job_id, ...filter })
        .sort(sort)
        .limit(rowsMax)
        .toArray();
    },
    async between(workspace_id, job_id, fromMs, toMs) {
      const newest = await runs
        .find(
          { workspace_id, job_id, at_ms: { $gte: fromMs, $lt: toMs }, status: { $ne: 'running' } },
          { projection: { log: 0 } },
        )
        .sort({ _id: -1 })
        .limit(RUNS_KEPT_MAX)
        .toArray();
      return newest.reverse();
    },
    async trim(workspace_id, job_id) {
      const [first] = await runs
        .find({ workspace_id, job_id }, { projection: { _id: 1 } })
        .sort({ _id: -1 })
        .skip(RUNS_KEPT_MAX)
        .limit(1)
        .toArray();
      if (first !== undefined) await runs.deleteMany({ workspace_id, job_id, _id: { $lte: first._id } });
    },
    async removeOf(workspace_id, job_id) {
      await runs.deleteMany({ workspace_id, job_id });
    },
  };
}
