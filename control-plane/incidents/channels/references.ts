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
    // An outage opens hundreds of them, and few commands change any number.
    limited: false,
    async findAlone(tx, workspaceId, channelId, { others, max }) {
      const which = { max, without: others };
      const { total, found } = await store.unresolvedWithChannel(tx, workspaceId, channelId, which);
      return { total, items: found.map(referrer) };
    },
    async find(tx, workspaceId, channelId, max) {
      const { total, found } = await store.unresolvedWithChannel(tx, workspaceId, channelId, { max });
      return {
        ...{ total, items: found.map(referrer) },
        async detach(actor, channel) {
          const detached = await store.detachChannel(tx, workspaceId, channelId, {
            ...{ at_ms: clock.now(), type: 'channel_removed', actor: actor.email },
            message: `The channel “${shortName(channel.name)}” was deleted and is not notified any more.`,
          });
          await onTimeline(needs, tx, detached);
          return detached.map((incident) => ({ ...referrer(incident), left: incident.channels ?? [] }));
        },
      };
    },
  };
}

function referrer({ _id: id, resource }: Pick<IncidentDocument, '_id' | 'resource'>) {
  return { type: 'incident' as const, id, name: resource.name };
}
