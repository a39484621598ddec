import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import type { ServerDocument } from './documents.js';
import { loadServer } from './load.js';
import type { ServerNeeds } from './needs.js';
import type { UpdateServer } from './schema.js';

/** Updates name and tags. A request that changes nothing writes nothing. */
export async function updateServer(
  { store, audit, listener, clock }: ServerNeeds,
  tx: Transaction,
  actor: Actor,
  request: { id: string; patch: UpdateServer; ifVersion: number | null },
): Promise<ServerDocument> {
  const server = await loadServer(store, tx, actor, request);
  const next = { name: request.patch.name ?? server.name, tags: request.patch.tags ?? server.tags };
  if (next.name === server.name && isDeepStrictEqual(next.tags, server.tags)) return server;
  const changed = await store.change(tx, server, { ...next, updated_at_ms: clock.now() });
  if (changed === null) throw new AppError('conflict', 'The server was changed by another request at the same time.');
  await listener.edited(tx, actor, changed);
  const changes = {
    ...(next.name === server.name ? {} : { name: { from: server.name, to: next.name } }),
    ...(isDeepStrictEqual(next.tags, server.tags) ? {} : { tags: { from: server.tags, to: next.tags } }),
  };
  await audit.record(tx, actor, {
    action: 'server.updated',
    resource: { type: 'server', id: changed._id, name: changed.name },
    metadata: { changes },
  });
  return changed;
}
