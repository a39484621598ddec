import type { Collection } from 'mongodb';
import type { Transaction } from '../../storage/transaction.js';
import { EVENTS_MAX } from '../change.js';
import type { IncidentDocument, IncidentEvent } from '../documents.js';
import type { TimelineIncident } from '../on-timeline.js';

type NamingIncident = Pick<IncidentDocument, '_id' | 'resource'>;

/** Reads and changes the unresolved incidents that name a channel. */
export interface IncidentChannelStore {
  /** Returns how many there are that name none of the channels `without`, and the oldest ones of them, at most `max`. */
  unresolvedWithChannel(
    tx: Transaction,
    workspaceId: string,
    channelId: string,
    which: { max: number; without?: readonly string[] },
  ): Promise<{ total: number; found: NamingIncident[] }>;
  /** Removes the channel from all of them, with an event. Returns them with their other channels and only this event. */
  detachChannel(
    tx: Transaction,
    workspaceId: string,
    channelId: string,
    event: IncidentEvent,
  ): Promise<(TimelineIncident & Pick<IncidentDocument, 'channels'>)[]>;
}

export function incidentChannelStore(incidents: Collection<IncidentDocument>): IncidentChannelStore {
  const naming = (workspaceId: string, channelId: string) => {
    return { workspace_id: workspaceId, open: true as const, channels: channelId };
  };
  return {
    async unresolvedWithChannel({ session }, workspaceId, channelId, { max, without = [] }) {
      const filter = { ...naming(workspaceId, channelId), channels: { $eq: channelId, $nin: [...without] } };
      const read = await incidents
        .find(filter, { session })
        .sort({ _id: 1 })
        .limit(max + 1)
        .project<NamingIncident>({ resource: 1 })
        .toArray();
      const total = read.length > max ? await incidents.countDocuments(filter, { session }) : read.length;
      return { total, found: read.slice(0, max) };
    },
    async detachChannel({ session }, workspaceId, channelId, event) {
      const filter = naming(workspaceId, channelId);
      const found = await incidents
        .find(filter, { session })
        .sort({ _id: 1 })
        .project<Omit<TimelineIncident, 'events'> & Pick<IncidentDocument, 'channels'>>({
          ...{ workspace_id: 1, resource: 1, severity: 1, kind: 1, channels: 1 },
        })
        .toArray();
      // The transaction reads and writes one snapshot, so these are the ones that it has found.
      await incidents.updateMany(
        filter,
        {
          $pull: { channels: channelId },
          $set: { updated_at_ms: event.at_ms },
          $push: { events: { $each: [event], $slice: -EVENTS_MAX } },
        },
        { session },
      );
      return found.map((incident) => ({
        ...incident,
        channels: (incident.channels ?? []).filter((id) => id !== channelId),
        events: [event],
      }));
    },
  };
}
