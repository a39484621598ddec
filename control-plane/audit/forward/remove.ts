import type { Actor } from '../../actor.js';
import { notFound } from '../../errors.js';
import { requireVersion } from '../../http/etag.js';
import type { Transaction } from '../../storage/transaction.js';
import type { ForwarderNeeds } from './needs.js';

/** Deletes a forwarder with its cursor and its secrets. Needs no plan: one that has become smaller must not keep a receiver. */
export async function removeForwarder(
  needs: ForwarderNeeds,
  tx: Transaction,
  actor: Actor,
  request: { id: string; ifVersion: number | null },
): Promise<void> {
  const forwarder = await needs.store.findIn(tx, actor.workspaceId, request.id);
  if (forwarder === null) throw notFound('forwarder');
  requireVersion(request.ifVersion, forwarder.version);
  await needs.store.remove(tx, actor.workspaceId, forwarder._id);
  await needs.audit.record(tx, actor, {
    action: 'integration.disconnected',
    resource: { type: 'forwarder', id: forwarder._id, name: forwarder.name },
    metadata: { forwarder_type: forwarder.type },
  });
}
