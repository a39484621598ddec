import type { Actor } from '../actor.js';
import { PLANS } from '../plans/plans.js';
import { refuseOverQuota } from '../plans/quota.js';
import type { Transaction } from '../storage/transaction.js';
import { audited } from './audited.js';
import type { BackupJobDocument } from './documents.js';
import type { BackupJobNeeds } from './needs.js';
import { newToken } from './pings/token.js';
import type { CreateBackupJob } from './schema.js';
import { newSettings } from './settings.js';
import { initialState } from './state/schedule.js';
import { settingsShown } from './view.js';

/** A job with the token of its ping URL, which is not stored. */
export interface JobWithToken {
  job: BackupJobDocument;
  token: string;
}

/** Creates a job, which expects its first ping at the next beginning. Throws 422, and 402 beyond the plan. */
export async function createBackupJob(
  needs: BackupJobNeeds,
  tx: Transaction,
  actor: Actor,
  input: CreateBackupJob,
): Promise<JobWithToken> {
  const { store, ids, clock, audit } = needs;
  const nowMs = clock.now();
  const settings = newSettings(input, nowMs);
  const allowed = PLANS[actor.plan].backupJobs;
  refuseOverQuota(actor.plan, 'backupJobs', await store.lockAndCount(tx, actor.workspaceId, allowed));
  const { token, token_hash, token_end } = newToken(needs.random);
  const job: BackupJobDocument = {
    _id: ids.next('bkp'),
    workspace_id: actor.workspaceId,
    ...settings,
    ...initialState(settings, nowMs),
    token_hash,
    token_end,
    changes: 0,
    created_by: actor.email,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    version: 1,
  };
  await store.insert(tx, job);
  await needs.ensureDefaultRule(tx, actor);
  await audit.record(tx, actor, audited('backup_job.created', job, settingsShown(settings)));
  return { job, token };
}
