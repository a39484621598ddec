import type { Clock } from '../../../kernel/clock.js';
import type { IncidentDocument } from '../../incidents/documents.js';
import type { Transaction } from '../../storage/transaction.js';
import type { ChannelStore } from '../channel-settings/store.js';
import { type ChannelDocument, notificationId, type OutboxRow, type Snapshot } from '../documents.js';
import type { NotificationEvent, Notifications } from '../notifications.js';
import { type Plan, planEvent } from '../policy.js';
import type { ChannelType } from '../schema.js';
import type { OutboxStore } from './outbox-store.js';
import { factsOf, type OutboxRowHead, recordOf, rowFacts, rowOf, timingOf } from './rows.js';

/**
 * Programs that hold an alert open until they are told that it is over. A person need not be told that one incident
 * took the place of another: what took its place says enough.
 */
const KEEPS_ALERTS_OPEN: ReadonlySet<ChannelType> = new Set<ChannelType>(['pagerduty', 'webhook']);

interface Planned {
  incident: IncidentDocument;
  plan: Plan;
  rows: OutboxRow[];
}

/**
 * Writes and withdraws outbox rows as the policy says, and wakes delivery once they are committed. The incidents of
 * a workspace share their round trips.
 */
export function createEnqueue(deps: {
  channelStore: ChannelStore;
  outbox: OutboxStore;
  clock: Clock;
  wake(channelIds: readonly string[]): void;
}): Notifications['enqueue'] {
  const { channelStore, outbox, clock } = deps;

  async function enqueueOwn(
    tx: Transaction,
    workspaceId: string,
    incidents: readonly IncidentDocument[],
    event: NotificationEvent,
  ): Promise<void> {
    const nowMs = clock.now();
    const ids = incidents.map((incident) => incident._id);
    const known = await outbox.ofIncidents(workspaceId, ids, tx);
    const channels = event === 'opened' ? await channelStore.inUse(tx, workspaceId, namedBy(incidents)) : [];
    const planned = incidents.map((incident) => {
      const own = known.filter((row) => row.incident_id === incident._id);
      return planRows(incident, event, own, channels.filter(isFor(incident)), nowMs);
    });

    const rows = planned.flatMap((one) => one.rows);
    const there = new Set(known.map((row) => row._id));
    await outbox.insert(
      tx,
      rows.filter((row) => !there.has(row._id)),
    );
    await outbox.revive(
      tx,
      rows.filter((row) => there.has(row._id)),
    );
    const unwanted = planned.flatMap(({ incident, plan }) =>
      plan.withdraw.map((row) => notificationId(incident._id, row.event, row.channelId)),
    );
    // The reason hangs on the event alone.
    await outbox.withdraw(tx, workspaceId, unwanted, planned[0]?.plan.reason ?? '', nowMs);
    const due = new Set(rows.filter((row) => row.next_attempt_ms <= nowMs).map((row) => row.channel_id));
    if (due.size > 0) tx.afterCommit(() => deps.wake([...due]));
  }

  return async (tx, incidents, event) => {
    for (const workspaceId of new Set(incidents.map((incident) => incident.workspace_id))) {
      const own = incidents.filter((incident) => incident.workspace_id === workspaceId);
      await enqueueOwn(tx, workspaceId, own, event);
    }
  };
}

function planRows(
  incident: IncidentDocument,
  event: NotificationEvent,
  known: readonly OutboxRowHead[],
  channels: readonly ChannelDocument[],
  nowMs: number,
): Planned {
  const plan = planEvent(event, factsOf(incident), channels.map(timingOf), known.map(rowFacts), nowMs);
  const types = new Map([
    ...known.map((row) => [row.channel_id, row.channel_type] as const),
    ...channels.map((channel) => [channel._id, channel.type] as const),
  ]);
  const snapshot: Snapshot = { incident, told: recordOf(known).get(incident._id) ?? [] };
  // One text for all channels.
  const text = plan.insert.length === 0 ? null : JSON.stringify(snapshot);
  const superseded = event === 'resolved' && incident.resolution === 'superseded';
  const rows = plan.insert.flatMap((row): OutboxRow[] => {
    const type = types.get(row.channelId);
    if (type === undefined || (superseded && !KEEPS_ALERTS_OPEN.has(type))) return [];
    return [rowOf(row, type, incident, text, nowMs)];
  });
  return { incident, plan, rows };
}

/** The channels that the incidents name, or null when one of them is for all of the workspace. */
function namedBy(incidents: readonly IncidentDocument[]): string[] | null {
  const named = new Set<string>();
  for (const { channels } of incidents) {
    if (channels === null) return null;
    for (const id of channels) named.add(id);
  }
  return [...named];
}

function isFor(incident: IncidentDocument): (channel: ChannelDocument) => boolean {
  return (channel) => incident.channels === null || incident.channels.includes(channel._id);
}
