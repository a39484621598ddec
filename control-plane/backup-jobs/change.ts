import type { Actor } from '../actor.js';
import { AppError, notFound } from '../errors.js';
import { requireVersion } from '../http/etag.js';
import type { Transaction } from '../storage/transaction.js';
import type { BackupJobDocument } from './documents.js';
import type { BackupJobNeeds } from './needs.js';
import type { BackupJobChange } from './store.js';

/** Throws 404, and 412 when the job is not the version that the client has read. */
export async function loadBackupJob(
  { store }: Pick<BackupJobNeeds, 'store'>,
  tx: Transaction,
  actor: Actor,
  { id, ifVersion }: { id: string; ifVersion: number | null },
): Promise<BackupJobDocument> {
  const job = await store.find(actor.workspaceId, id, tx);
  if (job === null) throw notFound('backup job');
  requireVersion(ifVersion, job.version);
  return job;
}

/** Stores a change. */
export async function writeChange(
  { store, clock }: Pick<BackupJobNeeds, 'store' | 'clock'>,
  tx: Transaction,
  job: BackupJobDocument,
  change: BackupJobChange,
): Promise<BackupJobDocument> {
  const changed = await store.change(tx, job, { ...change, updated_at_ms: clock.now() });
  // A concurrent change usually ends this transaction with a write conflict, which repeats it. This is a second guard.
  if (changed === null) throw new AppError('conflict', 'A concurrent request changed the backup job.');
  return changed;
}
