import type { Actor } from '../actor.js';
import { changesOf } from '../audit/changes.js';
import type { Transaction } from '../storage/transaction.js';
import { audited } from './audited.js';
import { loadBackupJob, writeChange } from './change.js';
import type { BackupJobDocument } from './documents.js';
import type { BackupJobNeeds } from './needs.js';
import type { UpdateBackupJob } from './schema.js';
import { changedSettings } from './settings.js';
import { afterSettings } from './state/schedule.js';
import { settingsShown } from './view.js';

/** Updates a job. An update without changes writes nothing. Disabling it resolves its incident. */
export async function updateBackupJob(
  needs: BackupJobNeeds,
  tx: Transaction,
  actor: Actor,
  request: { id: string; patch: UpdateBackupJob; ifVersion: number | null },
): Promise<BackupJobDocument> {
  const job = await loadBackupJob(needs, tx, actor, request);
  const nowMs = needs.clock.now();
  const settings = changedSettings(job, request.patch, nowMs);
  const changes = changesOf(settingsShown(job), settingsShown(settings));
  if (Object.keys(changes).length === 0) return job;
  const changed = await writeChange(needs, tx, job, { ...settings, ...afterSettings(job, settings, nowMs) });
  if (job.enabled && !settings.enabled) await needs.listener.ended(tx, actor, changed, 'disabled');
  await needs.audit.record(tx, actor, audited('backup_job.updated', changed, { changes }));
  return changed;
}
