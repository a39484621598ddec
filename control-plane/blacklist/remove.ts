import type { Actor } from '../actor.js';
import { notFound } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import { type BlacklistContext, loadMonitor } from './context.js';

/** Deletes a monitor: its incidents end with it, its history goes after it. */
export async function removeBlacklistMonitor(
  context: BlacklistContext,
  tx: Transaction,
  actor: Actor,
  what: { id: string; ifVersion: number | null },
): Promise<void> {
  const { store, checks, listener, audit, logger } = context;
  const monitor = await loadMonitor(context, tx, actor, what);
  if (!(await store.remove(tx, actor.workspaceId, monitor._id))) throw notFound('blacklist monitor');
  await listener.deleted(tx, actor, monitor);
  await audit.record(tx, actor, {
    action: 'blacklist_monitor.deleted',
    resource: { type: 'blacklist_monitor', id: monitor._id, name: monitor.target },
  });
  const history = { workspaceId: actor.workspaceId, monitorId: monitor._id };
  tx.afterCommit(() => {
    checks.removeOf(history).catch((error: unknown) => {
      logger.warn({ err: error, ...history }, 'the history of a deleted blacklist monitor stays until it expires');
    });
  });
}
