import type { Actor } from '../../actor.js';
import { notFound } from '../../errors.js';
import { requireVersion } from '../../http/etag.js';
import { type DeletionReply, deletionReply, endedMetadata } from '../../references/ended.js';
import type { References } from '../../references/references.js';
import type { Transaction } from '../../storage/transaction.js';
import type { ChannelSettingsNeeds } from './needs.js';

/**
 * Deletes the channel. Its pending notifications are withdrawn when they are due. Throws 409 while something names it;
 * with `detach`, removes it from everything that does.
 */
export async function deleteChannel(
  needs: ChannelSettingsNeeds & { references: References },
  tx: Transaction,
  actor: Actor,
  request: { id: string; ifVersion: number | null; detach: boolean },
): Promise<DeletionReply> {
  const channel = await needs.store.findIn(tx, actor.workspaceId, request.id);
  if (channel === null) throw notFound('channel');
  requireVersion(request.ifVersion, channel.version);
  const ended = await needs.references.end(
    tx,
    actor,
    'channel',
    { id: channel._id, name: channel.name },
    request.detach,
  );
  await needs.store.remove(tx, actor.workspaceId, channel._id);
  const others = [...new Set(ended.detached.flatMap(({ left }) => left))];
  const enabled = new Set((await needs.store.enabled(tx, [actor.workspaceId], others)).map(({ _id }) => _id));
  // Whatever the channel was alone in notifying, or together with channels that are off.
  const muted = ended.detached.filter(({ left }) => !left.some((id) => enabled.has(id)));
  await needs.audit.record(tx, actor, {
    action: 'channel.deleted',
    resource: { type: 'channel', id: channel._id, name: channel.name },
    metadata: { channel_type: channel.type, ...endedMetadata(ended, muted) },
  });
  return deletionReply(ended, muted);
}
