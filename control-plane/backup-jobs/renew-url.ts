import type { Actor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';
import { audited } from './audited.js';
import { loadBackupJob, writeChange } from './change.js';
import type { JobWithToken } from './create.js';
import type { BackupJobNeeds } from './needs.js';
import { newToken } from './pings/token.js';

/** Replaces the ping URL of a job. The one before ends at once. */
export async function renewPingUrl(
  needs: BackupJobNeeds,
  tx: Transaction,
  actor: Actor,
  id: string,
): Promise<JobWithToken> {
  const job = await loadBackupJob(needs, tx, actor, { id, ifVersion: null });
  const { token, token_hash, token_end } = newToken(needs.random);
  const changed = await writeChange(needs, tx, job, { token_hash, token_end });
  await needs.audit.record(tx, actor, audited('backup_job.url_renewed', changed));
  return { job: changed, token };
}
