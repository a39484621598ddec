import type { Clock } from '../../kernel/clock.js';
import type { ChannelStore } from './channel-store.js';
import { notificationId, type OutboxRow } from './documents.js';
import type { IncidentRecords, Notifications } from './notifications.js';
import type { OutboxRowHead, OutboxStore } from './outbox-store.js';
import { planEvent } from './policy.js';
import { entryOf, factsOf, rowFacts, rowOf, timingOf } from './rows.js';
import type { ChannelType } from './schema.js';

/** How long the rows of an incident that is over are kept, for whoever looks into what was sent. */
const KEPT_AFTER_RESOLVED_MS = 30 * 86_400_000;

/**
 * Programs that hold an alert open until they are told that it is over. A person need not be told that one incident
 * took the place of another: what took its place says enough.
 */
const KEEPS_ALERTS_OPEN: ReadonlySet<ChannelType> = new Set<ChannelType>(['pagerduty', 'webhook']);

/** Writes and withdraws outbox rows as the policy says, and wakes delivery once they are committed. */
export function createEnqueue(deps: {
  channelStore: ChannelStore;
  outbox: OutboxStore;
  incidents: IncidentRecords;
  clock: Clock;
  wake(): void;
}): Notifications['enqueue'] {
  const { channelStore, outbox, incidents, clock } = deps;
  return async (tx, incident, event) => {
    const nowMs = clock.now();
    const workspaceId = incident.workspace_id;
    const rows = await outbox.ofIncident(tx, workspaceId, incident._id);
    const channels = event === 'opened' ? await channelStore.inUse(tx, workspaceId, incident.channels) : [];
    const plan = planEvent(event, factsOf(incident), channels.map(timingOf), rows.map(rowFacts), nowMs);

    const types = new Map([
      ...rows.map((row) => [row.channel_id, row.channel_type] as const),
      ...channels.map((channel) => [channel._id, channel.type] as const),
    ]);
    const superseded = event === 'resolved' && incident.resolution === 'superseded';
    const fresh = plan.insert.flatMap((planned): OutboxRow[] => {
      const type = types.get(planned.channelId);
      if (type === undefined || (superseded && !KEEPS_ALERTS_OPEN.has(type))) return [];
      return [rowOf(planned, type, incident, nowMs)];
    });
    await outbox.insert(tx, fresh);

    const ids = plan.withdraw.map((row) => notificationId(incident._id, row.event, row.channelId));
    const withdrawn = new Set(await outbox.withdraw(tx, workspaceId, ids, plan.reason, nowMs));
    const gone = rows.filter((row) => withdrawn.has(row._id));
    if (event === 'resolved') {
      await outbox.expire(tx, workspaceId, incident._id, new Date(nowMs + KEPT_AFTER_RESOLVED_MS));
    }

    const record = (row: OutboxRowHead, status: 'pending' | 'skipped', error: string | null) =>
      incidents.recordNotification(tx, workspaceId, incident._id, entryOf(row, { status, sentAtMs: null, error }));
    for (const row of fresh) await record(row, 'pending', null);
    for (const row of gone) await record(row, 'skipped', plan.reason);
    if (fresh.length > 0) tx.afterCommit(deps.wake);
  };
}
