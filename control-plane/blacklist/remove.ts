import type { Actor } from '../actor.js';
import { notFound } from '../errors.js';
import { type DeletionReply, deletionReply, endedMetadata } from '../references/ended.js';
import { namesNoOther } from '../references/references.js';
import type { Transaction } from '../storage/transaction.js';
import { loadMonitor } from './load.js';
import type { BlacklistNeeds } from './needs.js';

/**
 * Deletes a monitor and resolves its incidents. Its history is deleted after the transaction. Throws 409 while alert rules
 * name it; with `detach`, removes it from them.
 */
export async function removeBlacklistMonitor(
  needs: BlacklistNeeds,
  tx: Transaction,
  actor: Actor,
  request: { id: string; ifVersion: number | null; detach: boolean },
): Promise<DeletionReply> {
  const { store, checks, listener, references, audit, logger } = needs;
  const monitor = await loadMonitor(store, tx, actor, request);
  const thing = { id: monitor._id, name: monitor.target };
  const ended = await references.end(tx, actor, 'blacklist_monitor', thing, request.detach);
  const muted = ended.detached.filter(namesNoOther);
  if (!(await store.remove(tx, actor.workspaceId, monitor._id))) throw notFound('blacklist monitor');
  await listener.deleted(tx, actor, monitor);
  await audit.record(tx, actor, {
    action: 'blacklist_monitor.deleted',
    resource: { type: 'blacklist_monitor', id: monitor._id, name: monitor.target },
    metadata: endedMetadata(ended, muted),
  });
  const history = { workspaceId: actor.workspaceId, monitorId: monitor._id };
  tx.afterCommit(() => {
    checks.removeOf(history).catch((error: unknown) => {
      logger.warn(
        { err: error, ...history },
        'deleting the history of a blacklist monitor failed; it stays until it expires',
      );
    });
  });
  return deletionReply(ended, muted);
}
