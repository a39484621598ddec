import type { Actor } from '../actor.js';
import { notFound } from '../errors.js';
import { type DeletionReply, deletionReply, endedMetadata } from '../references/ended.js';
import { namesNoOther } from '../references/references.js';
import type { Transaction } from '../storage/transaction.js';
import { loadServer } from './load.js';
import type { ServerNeeds } from './needs.js';

/**
 * Deletes a server, revokes its agent's credential, resolves its incidents and deletes its history. Throws 409 while alert
 * rules name it; with `detach`, removes it from them.
 */
export async function removeServer(
  { store, audit, credentials, listener, references, removeHistory }: ServerNeeds,
  tx: Transaction,
  actor: Actor,
  request: { id: string; ifVersion: number | null; detach: boolean },
): Promise<DeletionReply> {
  const server = await loadServer(store, tx, actor, request);
  const ended = await references.end(tx, actor, 'server', { id: request.id, name: server.name }, request.detach);
  const muted = ended.detached.filter(namesNoOther);
  if (!(await store.remove(tx, actor.workspaceId, request.id))) throw notFound('server');
  await credentials.revoke(tx, request.id);
  await listener.deleted(tx, actor, server);
  await audit.record(tx, actor, {
    action: 'server.deleted',
    resource: { type: 'server', id: request.id, name: server.name },
    metadata: endedMetadata(ended, muted),
  });
  tx.afterCommit(() => void removeHistory({ workspaceId: actor.workspaceId, serverId: request.id }));
  return deletionReply(ended, muted);
}
