import type { Actor } from '../actor.js';
import { notFound } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import { loadServer } from './load.js';
import type { ServerNeeds } from './needs.js';

/** Deletes a server, revokes its agent's credential, resolves its incidents and deletes its history. */
export async function removeServer(
  { store, audit, credentials, listener, removeHistory }: ServerNeeds,
  tx: Transaction,
  actor: Actor,
  request: { id: string; ifVersion: number | null },
): Promise<void> {
  const server = await loadServer(store, tx, actor, request);
  if (!(await store.remove(tx, actor.workspaceId, request.id))) throw notFound('server');
  await credentials.revoke(tx, request.id);
  await listener.deleted(tx, actor, server);
  await audit.record(tx, actor, {
    action: 'server.deleted',
    resource: { type: 'server', id: request.id, name: server.name },
  });
  tx.afterCommit(() => void removeHistory({ workspaceId: actor.workspaceId, serverId: request.id }));
}
