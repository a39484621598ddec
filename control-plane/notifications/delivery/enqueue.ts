import type { Clock } from '../../../kernel/clock.js';
import type { IncidentDocument } from '../../incidents/documents.js';
import type { NotificationEvent, Notifier } from '../../incidents/incidents.js';
import type { Transaction } from '../../storage/transaction.js';
import type { ChannelType } from '../channel-configs.js';
import type { ChannelStore } from '../channel-settings/store.js';
import { type ChannelDocument, notificationId, type OutboxRow, type Snapshot } from '../documents.js';
import { type Plan, type PolicyRow, planEvent } from '../policy.js';
import type { OutboxStore } from './outbox-store.js';
import type { ChannelOfWorkspace } from './queues/waiting-channels.js';
import { deliveryRecords, type OutboxRowHead, policyChannel, policyIncident, policyRow, rowOf } from './rows.js';

/**
 * Channels of programs that keep an alert open until they are notified of its end. People are not notified when another
 * incident supersedes one, because they are notified of the other incident.
 */
const KEEPS_ALERTS_OPEN: ReadonlySet<ChannelType> = new Set<ChannelType>(['pagerduty', 'webhook']);

interface EnqueueNeeds {
  channelStore: ChannelStore;
  outbox: OutboxStore;
  clock: Clock;
  wake(channels: readonly ChannelOfWorkspace[]): void;
}

interface Planned {
  incident: IncidentDocument;
  plan: Plan;
  rows: OutboxRow[];
}

/**
 * Writes and withdraws outbox rows as the policy requires, and wakes delivery after the commit. All incidents share
 * database round trips, whichever workspaces they are of.
 */
export function createEnqueue(needs: EnqueueNeeds): Notifier['enqueue'] {
  return async (tx, incidents, event) => {
    if (incidents.length > 0) await enqueueAll(needs, tx, incidents, event);
  };
}

async function enqueueAll(
  { channelStore, outbox, clock, wake }: EnqueueNeeds,
  tx: Transaction,
  incidents: readonly IncidentDocument[],
  event: NotificationEvent,
): Promise<void> {
  const nowMs = clock.now();
  const known = await outbox.ofAll(tx, incidents);
  const isForAll = event === 'opened' || event === 'unsilenced';
  const workspaces = [...new Set(incidents.map((incident) => incident.workspace_id))];
  const channels = isForAll ? await channelStore.enabled(tx, workspaces, channelsOf(incidents)) : [];
  const planned = incidents.map((incident) => {
    const own = known.filter((row) => row.incident_id === incident._id);
    return planRows(incident, event, own, channels.filter(isChannelOf(incident)), nowMs);
  });

  if (event === 'unsilenced') {
    const openings = known.filter((row) => row.event === 'opened');
    await outbox.unsilence(tx, openings, nowMs);
  }
  const rows = planned.flatMap((one) => one.rows);
  const stored = new Set(known.map((row) => row._id));
  await outbox.insert(
    tx,
    rows.filter((row) => !stored.has(row._id)),
  );
  await outbox.revive(
    tx,
    rows.filter((row) => stored.has(row._id)),
  );
  const moved = planned.flatMap(({ incident, plan }) =>
    plan.move.map((row) => ({ ...rowOfIncident(incident, row), dueMs: row.dueMs, channelId: row.channelId })),
  );
  await outbox.move(tx, moved);
  const unwanted = planned.flatMap(({ incident, plan }) => plan.withdraw.map((row) => rowOfIncident(incident, row)));
  // The reason depends only on the event, so it is the same for all incidents.
  await outbox.withdraw(tx, unwanted, planned[0]?.plan.reason ?? '', nowMs);
  const due = new Map([
    ...rows.filter((row) => row.next_attempt_ms <= nowMs).map((row) => [row.channel_id, row.workspace_id] as const),
    ...moved.filter((row) => row.dueMs <= nowMs).map((row) => [row.channelId, row.workspace_id] as const),
  ]);
  const channelsDue = [...due].map(([channelId, workspaceId]) => ({ channelId, workspaceId }));
  if (due.size > 0) tx.afterCommit(() => wake(channelsDue));
}

function rowOfIncident({ _id, workspace_id }: IncidentDocument, row: Pick<PolicyRow, 'event' | 'channelId'>) {
  return { _id: notificationId(_id, row.event, row.channelId), workspace_id };
}

function planRows(
  incident: IncidentDocument,
  event: NotificationEvent,
  known: readonly OutboxRowHead[],
  channels: readonly ChannelDocument[],
  nowMs: number,
): Planned {
  const plan = planEvent(event, policyIncident(incident), channels.map(policyChannel), known.map(policyRow), nowMs);
  const types = new Map([
    ...known.map((row) => [row.channel_id, row.channel_type] as const),
    ...channels.map((channel) => [channel._id, channel.type] as const),
  ]);
  // Messages do not show attempts.
  const told = (deliveryRecords(known).get(incident._id) ?? []).map((one) => ({ ...one, latest_attempts: [] }));
  const snapshot: Snapshot = { incident, told };
  // All channels share one serialized snapshot.
  const text = plan.insert.length === 0 ? null : JSON.stringify(snapshot);
  const superseded = event === 'resolved' && incident.resolution === 'superseded';
  const rows = plan.insert.flatMap((row): OutboxRow[] => {
    const type = types.get(row.channelId);
    if (type === undefined || (superseded && !KEEPS_ALERTS_OPEN.has(type))) return [];
    return [rowOf(row, type, incident, text, nowMs)];
  });
  return { incident, plan, rows };
}

/** Returns the channels of the incidents; null if one of them has every channel of its workspace. */
function channelsOf(incidents: readonly IncidentDocument[]): string[] | null {
  const named = new Set<string>();
  for (const { channels } of incidents) {
    if (channels === null) return null;
    for (const id of channels) named.add(id);
  }
  return [...named];
}

function isChannelOf(incident: IncidentDocument): (channel: ChannelDocument) => boolean {
  return ({ _id, workspace_id }) =>
    workspace_id === incident.workspace_id && (incident.channels === null || incident.channels.includes(_id));
}
