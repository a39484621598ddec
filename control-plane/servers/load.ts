import type { Actor } from '../actor.js';
import { notFound } from '../errors.js';
import { requireVersion } from '../http/etag.js';
import type { Transaction } from '../storage/transaction.js';
import type { ServerDocument } from './documents.js';
import type { ServerStore } from './store.js';

/** Returns the server. Throws 404 if it does not exist, and 412 if its version is not the one that the client has. */
export async function loadServer(
  store: Pick<ServerStore, 'find'>,
  tx: Transaction,
  actor: Actor,
  request: { id: string; ifVersion: number | null },
): Promise<ServerDocument> {
  const server = await store.find(actor.workspaceId, request.id, tx);
  if (server === null) throw notFound('server');
  requireVersion(request.ifVersion, server.version);
  return server;
}
