import type { StandingOf } from '../../plans/cache.js';
import type { Ids } from '../../storage/ids.js';
import {
  createLeasedPeriodicTask,
  type LeasedPeriodicTask,
  type LeasedPeriodicTaskNeeds,
} from '../../storage/leases/leased-periodic-task.js';
import type { RunTransaction } from '../../storage/transaction.js';
import { type ApplyNeeds, applyChange } from '../apply.js';
import type { BackupJobDocument } from '../documents.js';
import { afterSilence } from '../state/after-silence.js';
import { type Gap, gapsOf } from '../state/gap.js';
import type { BackupJobStore } from '../store.js';
import type { ListeningStore } from './listening-store.js';

const PERIOD_MS = 5_000;
const LEASE_MS = 15_000;
const BATCH_MAX = 200;
/** How long control planes must have listened again before they say that a ping is missing: clients retry for a while. */
const LISTENED_MS = 60_000;

interface JudgingNeeds extends ApplyNeeds, LeasedPeriodicTaskNeeds {
  store: Pick<BackupJobStore, 'due' | 'find' | 'saveState'>;
  listening: Pick<ListeningStore, 'listening'>;
  standingOf: StandingOf;
  runTransaction: RunTransaction;
  ids: Ids;
}

/** Finds the pings that did not come. Each run resolves to the number of jobs that it changed. */
export function createJudgingJob(needs: JudgingNeeds): LeasedPeriodicTask<number> {
  const { store, listening, clock, logger } = needs;
  return createLeasedPeriodicTask(needs, {
    name: 'backup-jobs',
    periodMs: PERIOD_MS,
    leaseMs: LEASE_MS,
    failure: 'looking for missing pings of backup jobs failed, retrying',
    async work({ stillHeld }) {
      const gaps = await listening.listening(clock.now());
      const backMs = gaps.at(-1)?.to_ms ?? Number.NEGATIVE_INFINITY;
      if (clock.now() - backMs < LISTENED_MS) return 0;
      let changed = 0;
      for (const job of await store.due(clock.now(), BATCH_MAX)) {
        if (!(await stillHeld())) break;
        // The work may take longer than the time after which control planes count as away.
        await listening.listening(clock.now());
        try {
          if (await judge(needs, job, gaps)) changed++;
        } catch (err) {
          // A failed job must not stop the others.
          logger.warn({ err, job: job._id }, 'recording a missing ping failed; the next run retries');
        }
      }
      return changed;
    },
  });
}

async function judge(needs: JudgingNeeds, { workspace_id, _id }: BackupJobDocument, gaps: readonly Gap[]) {
  const standing = await needs.standingOf(workspace_id);
  if (standing === null) return false;
  return needs.runTransaction(async (tx) => {
    const job = await needs.store.find(workspace_id, _id, tx);
    if (job === null) return false;
    const nowMs = needs.clock.now();
    const change = afterSilence(job, needs.ids.next('bkr'), nowMs, gapsOf(standing, gaps, nowMs));
    if (change === null) return false;
    await applyChange(needs, tx, job, change, { plan: standing.retentionPlan, nowMs });
    return true;
  });
}
