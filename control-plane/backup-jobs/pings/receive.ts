import type { Clock } from '../../../kernel/clock.js';
import type { StandingOf } from '../../plans/cache.js';
import type { Ids } from '../../storage/ids.js';
import type { RunTransaction } from '../../storage/transaction.js';
import { type ApplyNeeds, applyChange } from '../apply.js';
import type { ListeningStore } from '../judging/listening-store.js';
import { afterPing } from '../state/after-ping.js';
import { gapsOf } from '../state/gap.js';
import type { BackupJobStore } from '../store.js';
import type { Ping } from './ping.js';

export interface ReceiveNeeds extends ApplyNeeds {
  store: Pick<BackupJobStore, 'findByToken' | 'saveState'>;
  listening: Pick<ListeningStore, 'gaps'>;
  standingOf: StandingOf;
  runTransaction: RunTransaction;
  ids: Ids;
  clock: Clock;
}

/** Records a ping. Resolves to false for a token without a job, and while the workspace is stopped. */
export async function receivePing(needs: ReceiveNeeds, tokenHash: string, ping: Ping): Promise<boolean> {
  const { store, listening, ids, clock } = needs;
  return needs.runTransaction(async (tx) => {
    const job = await store.findByToken(tokenHash, tx);
    const standing = job === null ? null : await needs.standingOf(job.workspace_id);
    if (job === null || standing === null || standing.stopped) return false;
    const nowMs = clock.now();
    const lost = job.running === null ? [] : await listening.gaps(nowMs);
    const change = afterPing(job, ping, ids.next('bkr'), nowMs, gapsOf(standing, lost, nowMs));
    if (change === null) return true;
    await applyChange(needs, tx, job, change, { plan: standing.retentionPlan, nowMs });
    return true;
  });
}
