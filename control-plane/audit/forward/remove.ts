import type { Actor } from '../../actor.js';
import { notFound } from '../../errors.js';
import { requireVersion } from '../../http/etag.js';
import type { Transaction } from '../../storage/transaction.js';
import { type ForwarderVerbDeps, requireForwarding } from './verb.js';

/** Removes the forwarder with its place and its secrets. */
export async function removeForwarder(
  deps: ForwarderVerbDeps,
  tx: Transaction,
  actor: Actor,
  request: { id: string; ifVersion: number | null },
): Promise<void> {
  requireForwarding(actor);
  const forwarder = await deps.store.findIn(tx, actor.workspaceId, request.id);
  if (forwarder === null) throw notFound('forwarder');
  requireVersion(request.ifVersion, forwarder.version);
  await deps.store.remove(tx, actor.workspaceId, forwarder._id);
  await deps.audit.record(tx, actor, {
    action: 'forwarder.deleted',
    resource: { type: 'forwarder', id: forwarder._id, name: forwarder.name },
    metadata: { forwarder_type: forwarder.type },
  });
}
