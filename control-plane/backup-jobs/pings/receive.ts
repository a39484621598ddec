import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { StandingOf } from '../../plans/cache.js';
import type { Ids } from '../../storage/ids.js';
import type { RunTransaction } from '../../storage/transaction.js';
import { type ApplyNeeds, applyChange } from '../apply.js';
import { type BackupRunStore, RUNS_KEPT_MAX } from '../runs/store.js';
import { afterPing } from '../state/after-ping.js';
import type { BackupJobStore } from '../store.js';
import type { Ping } from './ping.js';

/** The oldest runs are deleted once in so many changes of a job. */
const TRIM_EVERY = RUNS_KEPT_MAX / 10;

export interface ReceiveNeeds extends ApplyNeeds {
  store: Pick<BackupJobStore, 'findByToken' | 'saveState'>;
  runs: Pick<BackupRunStore, 'save' | 'trim'>;
  standingOf: StandingOf;
  runTransaction: RunTransaction;
  ids: Ids;
  clock: Clock;
  logger: Logger;
}

/** Records a ping. Resolves to false for a token without a job, and while the workspace is stopped. */
export async function receivePing(needs: ReceiveNeeds, tokenHash: string, ping: Ping): Promise<boolean> {
  const { store, runs, ids, clock, logger } = needs;
  return needs.runTransaction(async (tx) => {
    const job = await store.findByToken(tokenHash, tx);
    const standing = job === null ? null : await needs.standingOf(job.workspace_id);
    if (job === null || standing === null || standing.stopped) return false;
    const nowMs = clock.now();
    const change = afterPing(job, ping, ids.next('bkr'), nowMs);
    if (change === null) return true;
    await applyChange(needs, tx, job, change, { plan: standing.retentionPlan, nowMs });
    if (job.changes % TRIM_EVERY === 0) {
      tx.afterCommit(() => {
        runs.trim(job.workspace_id, job._id).catch((err: unknown) => {
          logger.warn({ err, job: job._id }, 'deleting old runs of a backup job failed; a later ping tries again');
        });
      });
    }
    return true;
  });
}
