import type { Clock } from '../../../kernel/clock.js';
import type { IncidentHead, IncidentRecords } from '../../incidents/incidents.js';
import type { IncidentKinds } from '../../incidents/kind.js';
import type { StandingOf } from '../../plans/cache.js';
import type { ChannelStore } from '../channel-settings/store.js';
import type { ChannelDocument, OutboxRow, Snapshot } from '../documents.js';
import { incidentMessage, type Message } from '../message.js';
import type { ActionLink, MessageSources, MonitorSummary } from '../notifications.js';
import type { OutboxStore } from './outbox-store.js';
import { deliveryRecords, type OutboxRowHead } from './rows.js';

export interface ClaimContextNeeds {
  channelStore: ChannelStore;
  outbox: OutboxStore;
  incidents: IncidentRecords;
  kinds: IncidentKinds;
  sources: MessageSources;
  actionLink: ActionLink;
  publicUrl: string;
  standingOf: StandingOf;
  clock: Clock;
}

/** The data that the rows of one claim share. */
export interface ClaimContext {
  readAt: number;
  /** The workspace of the channel is suspended or is being deleted: nothing is sent. */
  stopped: boolean;
  channel: ChannelDocument | null;
  heads: ReadonlyMap<string, IncidentHead>;
  /** The current incidents of rows without a snapshot. */
  current: ReadonlyMap<string, Snapshot>;
  siblings: readonly OutboxRowHead[];
  monitors: ReadonlyMap<string, MonitorSummary>;
}

/** Reads the data of all rows of a claim together, so that many rows cost as many round trips as one. */
export async function readClaimContext(needs: ClaimContextNeeds, rows: readonly OutboxRow[]): Promise<ClaimContext> {
  const { incidents, outbox } = needs;
  const [first] = rows;
  if (first === undefined) throw new Error('a claim must have at least one row');
  const { workspace_id: workspaceId, channel_id: channelId } = first;
  const ids = rows.map((row) => row.incident_id);
  const currentIds = rows.filter((row) => row.snapshot === null).map((row) => row.incident_id);
  const [standing, channel, heads, siblings, current, currentRows] = await Promise.all([
    needs.standingOf(workspaceId),
    needs.channelStore.find(workspaceId, channelId),
    incidents.heads(workspaceId, ids),
    outbox.siblings(workspaceId, channelId, ids),
    currentIds.length === 0 ? [] : incidents.loadMany(currentIds.map((id) => ({ workspaceId, id }))),
    currentIds.length === 0 ? [] : outbox.ofIncidents(workspaceId, currentIds),
  ]);
  const readAt = needs.clock.monotonic();
  const monitorIds = new Set(heads.flatMap(({ monitor_id }) => (monitor_id === null ? [] : [monitor_id])));
  const monitors = monitorIds.size === 0 ? new Map() : await needs.sources.monitors(workspaceId, [...monitorIds]);
  const sent = deliveryRecords(currentRows);
  return {
    readAt,
    stopped: standing?.stopped === true,
    channel,
    heads: new Map(heads.map((head) => [head._id, head])),
    current: new Map(current.map((incident) => [incident._id, { incident, told: sent.get(incident._id) ?? [] }])),
    siblings,
    monitors,
  };
}

/** Returns the message of a row. Escalation steps and reminders show the current incident, other rows the snapshot. */
export function messageOf(needs: ClaimContextNeeds, row: OutboxRow, context: ClaimContext): Message {
  const snapshot: Snapshot | undefined =
    row.snapshot === null ? context.current.get(row.incident_id) : JSON.parse(row.snapshot);
  if (snapshot === undefined) throw new Error('the incident was deleted');
  const eventMs = row.snapshot === null ? row.first_due_ms : row.event_ms;
  return incidentMessage({
    ...needs.sources,
    id: row._id,
    event: row.event,
    eventMs,
    incident: snapshot.incident,
    incidentKind: needs.kinds.of(snapshot.incident),
    sent: snapshot.told,
    monitor: context.monitors.get(snapshot.incident.monitor_id ?? '') ?? null,
    publicUrl: needs.publicUrl,
    // Of the time of the event, not of the attempt: every attempt sends the same message. After a change of the receivers,
    // those of now get a link that works.
    actionLink: needs.actionLink({
      ...{ workspaceId: row.workspace_id, incidentId: row.incident_id, channelId: row.channel_id },
      atMs: Math.max(eventMs, (context.channel?.links_revoked_until_ms ?? -1) + 1),
    }),
  });
}
