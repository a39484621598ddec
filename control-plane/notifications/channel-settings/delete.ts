import type { Actor } from '../../actor.js';
import { notFound } from '../../errors.js';
import { requireVersion } from '../../http/etag.js';
import type { Transaction } from '../../storage/transaction.js';
import type { ChannelVerbDeps } from './create.js';

/** Removes the channel. What still waits for it is withdrawn when its turn comes. */
export async function deleteChannel(
  deps: ChannelVerbDeps,
  tx: Transaction,
  actor: Actor,
  request: { id: string; ifVersion: number | null },
): Promise<void> {
  const channel = await deps.store.findIn(tx, actor.workspaceId, request.id);
  if (channel === null) throw notFound('channel');
  requireVersion(request.ifVersion, channel.version);
  await deps.store.remove(tx, actor.workspaceId, channel._id);
  await deps.audit.record(tx, actor, {
    action: 'channel.deleted',
    resource: { type: 'channel', id: channel._id, name: channel.name },
    metadata: { channel_type: channel.type },
  });
}
