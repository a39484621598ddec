import type { Actor } from '../actor.js';
import { notFound } from '../errors.js';
import { type DeletionReply, deletionReply, endedMetadata } from '../references/ended.js';
import { namesNoOther } from '../references/references.js';
import type { Transaction } from '../storage/transaction.js';
import { audited } from './audited.js';
import { loadBackupJob } from './change.js';
import type { BackupJobNeeds } from './needs.js';

/**
 * Deletes a job and resolves its incident. Its runs are deleted after the transaction. Throws 409 while alert rules name it;
 * with `detach`, removes it from them.
 */
export async function removeBackupJob(
  needs: BackupJobNeeds,
  tx: Transaction,
  actor: Actor,
  request: { id: string; ifVersion: number | null; detach: boolean },
): Promise<DeletionReply> {
  const { store, runs, listener, references, audit, logger } = needs;
  const job = await loadBackupJob(needs, tx, actor, request);
  const ended = await references.end(tx, actor, 'backup_job', { id: job._id, name: job.name }, request.detach);
  const muted = ended.detached.filter(namesNoOther);
  if (!(await store.remove(tx, actor.workspaceId, job._id))) throw notFound('backup job');
  await listener.ended(tx, actor, job, 'deleted');
  await audit.record(tx, actor, audited('backup_job.deleted', job, endedMetadata(ended, muted)));
  tx.afterCommit(() => {
    runs.removeOf(job.workspace_id, job._id).catch((err: unknown) => {
      logger.warn({ err, job: job._id }, 'deleting the runs of a backup job failed; they stay until they expire');
    });
  });
  return deletionReply(ended, muted);
}
