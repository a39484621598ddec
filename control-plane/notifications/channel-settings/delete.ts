import type { Actor } from '../../actor.js';
import { notFound } from '../../errors.js';
import { requireVersion } from '../../http/etag.js';
import type { Transaction } from '../../storage/transaction.js';
import type { ChannelSettingsNeeds } from './needs.js';

/** Deletes the channel. Its pending notifications are withdrawn when they are due. */
export async function deleteChannel(
  needs: ChannelSettingsNeeds,
  tx: Transaction,
  actor: Actor,
  request: { id: string; ifVersion: number | null },
): Promise<void> {
  const channel = await needs.store.findIn(tx, actor.workspaceId, request.id);
  if (channel === null) throw notFound('channel');
  requireVersion(request.ifVersion, channel.version);
  await needs.store.remove(tx, actor.workspaceId, channel._id);
  await needs.audit.record(tx, actor, {
    action: 'channel.deleted',
    resource: { type: 'channel', id: channel._id, name: channel.name },
    metadata: { channel_type: channel.type },
  });
}
