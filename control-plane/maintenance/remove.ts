import type { Actor } from '../actor.js';
import { notFound } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import { audited } from './audited.js';
import { loadWindow } from './change.js';
import type { WindowNeeds } from './needs.js';
import { keepPast } from './uptime/past.js';

/** Deletes a window. What it silenced fires at its next evaluation, if it still fails. */
export async function removeWindow(
  needs: WindowNeeds,
  tx: Transaction,
  actor: Actor,
  { id, ifVersion }: { id: string; ifVersion: number | null },
): Promise<void> {
  const { store, cache, audit, clock } = needs;
  const { workspaceId } = actor;
  const window = await loadWindow(needs, tx, actor, id, ifVersion);
  if (!(await store.remove(tx, workspaceId, id))) throw notFound('maintenance window');
  const past = await keepPast(needs, tx, window, clock.now());
  await store.noteChange(tx, workspaceId);
  await audit.record(tx, actor, audited('maintenance.deleted', window));
  tx.afterCommit(() => cache.remove(workspaceId, id, past));
}
