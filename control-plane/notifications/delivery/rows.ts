import { type ChannelDocument, notificationId, type OutboxRow } from '../documents.js';
import type { IncidentHead, NotificationSent } from '../notifications.js';
import { type ChannelTiming, type IncidentFacts, isReminder, type PlannedRow, type RowFacts } from '../policy.js';
import { GIVE_UP_AFTER_MS } from './retry.js';

const MINUTE_MS = 60_000;

/** What the policy and whoever reads the record need of a row, without the snapshot that it carries. */
export type OutboxRowHead = Omit<OutboxRow, 'snapshot'>;
/** What the policy sees of a channel. */
export function timingOf(channel: ChannelDocument): ChannelTiming {
  return {
    channelId: channel._id,
    delayMs: channel.delay_minutes * MINUTE_MS,
    repeatMs: channel.repeat_minutes === null ? null : channel.repeat_minutes * MINUTE_MS,
    enabled: channel.disabled_at_ms === null,
    pausedUntilMs: channel.paused_until_ms,
  };
}

/** What the policy sees of an incident. */
export function factsOf(incident: Pick<IncidentHead, 'status' | 'acknowledged_at_ms'>): IncidentFacts {
  return { status: incident.status, acknowledged: incident.acknowledged_at_ms !== null };
}

/** What the policy sees of a row. */
export function rowFacts(row: OutboxRowHead): RowFacts {
  return { ...row, channelId: row.channel_id };
}

/** The stored row of a planned one. The snapshot goes with it unless it is to tell how things are when it is sent. */
export function rowOf(
  planned: PlannedRow,
  channelType: OutboxRow['channel_type'],
  incident: Pick<IncidentHead, '_id' | 'workspace_id'>,
  snapshot: string | null,
  nowMs: number,
): OutboxRow {
  return {
    _id: notificationId(incident._id, planned.event, planned.channelId),
    workspace_id: incident.workspace_id,
    incident_id: incident._id,
    channel_id: planned.channelId,
    channel_type: channelType,
    event: planned.event,
    sequence: planned.sequence,
    step: planned.step,
    state: 'pending',
    next_attempt_ms: planned.dueMs,
    waiting: 'schedule',
    lease_until: null,
    holder: null,
    fence: 0,
    attempts: 0,
    refusals: 0,
    event_ms: nowMs,
    first_due_ms: planned.dueMs,
    give_up_ms: planned.dueMs + GIVE_UP_AFTER_MS,
    attempted_ms: null,
    finished_ms: null,
    logged_only: false,
    error: null,
    snapshot: planned.step || isReminder(planned.event) ? null : snapshot,
  };
}

/** What rows say of each incident, in the order of the events. A reminder is nobody's business before its time. */
export function recordOf(rows: readonly OutboxRowHead[]): Map<string, NotificationSent[]> {
  const ordered = [...rows].sort(
    (a, b) => a.event_ms - b.event_ms || a.sequence - b.sequence || (a.channel_id < b.channel_id ? -1 : 1),
  );
  const record = new Map<string, NotificationSent[]>();
  for (const row of ordered) {
    const entry = entryOf(row);
    if (isReminder(row.event) && entry.status === 'pending' && entry.attempts === 0) continue;
    const entries = record.get(row.incident_id);
    if (entries === undefined) record.set(row.incident_id, [entry]);
    else entries.push(entry);
  }
  return record;
}

function entryOf(row: OutboxRowHead): NotificationSent {
  return {
    channel: row.channel_type,
    channel_id: row.channel_id,
    event: row.event,
    sent_at_ms: row.attempted_ms,
    status: statusOf(row),
    // The one under way is counted once it is over, or was cut off.
    attempts: row.state === 'leased' ? row.attempts - 1 : row.attempts,
    error: row.error,
  };
}

function statusOf(row: OutboxRowHead): NotificationSent['status'] {
  if (row.state === 'withdrawn' || row.logged_only) return 'skipped';
  return row.state === 'leased' ? 'pending' : row.state;
}
