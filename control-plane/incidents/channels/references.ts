import type { ReferenceHolder } from '../../references/references.js';
import { shortName } from '../../wording.js';
import type { IncidentDocument } from '../documents.js';
import type { IncidentNeeds } from '../needs.js';
import { onTimeline } from '../on-timeline.js';

/**
 * Returns the unresolved incidents as what names channels, which are notified of what happens to an incident until it is
 * resolved. Resolved ones keep the channels as a record.
 */
export function channelReferences(needs: IncidentNeeds): ReferenceHolder {
  const { store, clock } = needs;
  return {
    to: 'channel',
    read: 'alerts:read',
    write: 'alerts:write',
    async find(tx, workspaceId, channelId, max) {
      const found = await store.unresolvedWithChannel(workspaceId, channelId, tx);
      return { total: found.length, items: found.slice(0, max).map(referrer) };
    },
    async detach(tx, actor, channel) {
      const found = await store.unresolvedWithChannel(actor.workspaceId, channel.id, tx);
      const left = found.map(({ channels }) => (channels ?? []).filter((id) => id !== channel.id));
      const changed = await store.changeAll(
        tx,
        found.map((incident, index) => ({
          incident,
          change: { channels: left[index] ?? [] },
          event: {
            ...{ at_ms: clock.now(), type: 'channel_removed', actor: actor.email },
            message: `The channel “${shortName(channel.name)}” was deleted and is not notified any more.`,
          },
        })),
      );
      await onTimeline(needs, tx, changed);
      return found.map((incident, index) => ({ ...referrer(incident), left: left[index] ?? [] }));
    },
  };
}

function referrer({ _id: id, resource }: IncidentDocument) {
  return { type: 'incident' as const, id, name: resource.name };
}
