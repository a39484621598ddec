import type { Actor } from '../actor.js';
import { notFound } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import { announce, loadMonitor, resolveAndRecord } from './change.js';
import type { MonitorNeeds } from './needs.js';

/** Deletes a monitor and resolves its incident. TTL removes its results later. */
export async function removeMonitor(
  needs: MonitorNeeds,
  tx: Transaction,
  actor: Actor,
  id: string,
  ifVersion: number | null,
): Promise<void> {
  const monitor = await loadMonitor(needs, tx, actor, id, ifVersion);
  if (!(await needs.store.remove(tx, actor.workspaceId, id))) throw notFound('monitor');
  await resolveAndRecord(needs, tx, actor, monitor, 'deleted');
  await announce(needs, tx, [monitor], null);
}
