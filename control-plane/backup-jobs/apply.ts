import type { Logger } from '../../kernel/logger.js';
import { AppError } from '../errors.js';
import { PLANS, type PlanName } from '../plans/plans.js';
import type { Transaction } from '../storage/transaction.js';
import type { BackupJobListener } from './backup-jobs.js';
import type { BackupJobDocument } from './documents.js';
import { type BackupRunStore, RUNS_KEPT_MAX } from './runs/store.js';
import type { Change } from './state/change.js';
import type { BackupJobStore } from './store.js';

/** The oldest runs are deleted once in so many changes of a job. */
const TRIM_EVERY = RUNS_KEPT_MAX / 10;

export interface ApplyNeeds {
  store: Pick<BackupJobStore, 'saveState'>;
  runs: Pick<BackupRunStore, 'save' | 'trim'>;
  listener: Pick<BackupJobListener, 'changed'>;
  logger: Logger;
}

/** Writes the changed state of a job with its runs, and lets its incidents follow. Throws 409 after a concurrent change. */
export async function applyChange(
  { store, runs, listener, logger }: ApplyNeeds,
  tx: Transaction,
  job: BackupJobDocument,
  change: Change,
  { plan, nowMs }: { plan: PlanName; nowMs: number },
): Promise<void> {
  const changed = await store.saveState(tx, job, change.state);
  // A concurrent change usually ends this transaction with a write conflict, which repeats it. This is a second guard.
  if (changed === null) throw new AppError('conflict', 'A concurrent request changed the backup job.');
  const expires_at = new Date(nowMs + PLANS[plan].hoursSeconds * 1_000);
  for (const run of change.runs) {
    await runs.save(tx, { ...run, workspace_id: job.workspace_id, job_id: job._id, expires_at });
  }
  if (job.problem !== null || changed.problem !== null) await listener.changed(tx, changed);
  if (job.changes % TRIM_EVERY === 0) {
    tx.afterCommit(() => {
      runs.trim(job.workspace_id, job._id).catch((err: unknown) => {
        logger.warn({ err, job: job._id }, 'deleting old runs of a backup job failed; a later change tries again');
      });
    });
  }
}
