import type { Actor } from '../actor.js';
import { AppError, notFound } from '../errors.js';
import { requireVersion } from '../http/etag.js';
import type { Transaction } from '../storage/transaction.js';
import type { ScanNeeds } from './needs.js';

/** Deletes a scan. Throws 409 while it runs: its probe goes on, and another scan of the host must not begin meanwhile. */
export async function removeScan(
  { store, audit }: Pick<ScanNeeds, 'store' | 'audit'>,
  tx: Transaction,
  actor: Actor,
  request: { id: string; ifVersion: number | null },
): Promise<void> {
  const scan = await store.find(actor.workspaceId, request.id, tx);
  if (scan === null) throw notFound('scan');
  requireVersion(request.ifVersion, scan.version);
  if (scan.status === 'running') throw new AppError('conflict', 'The scan is running. Delete it when it has ended.');
  if (!(await store.remove(tx, actor.workspaceId, scan._id))) throw notFound('scan');
  await audit.record(tx, actor, {
    action: 'scan.deleted',
    resource: { type: 'scan', id: scan._id, name: scan.target },
    metadata: {},
  });
}
