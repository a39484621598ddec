import type { IncidentHead, NotificationSent } from '../../incidents/incidents.js';
import { type ChannelDocument, notificationId, type OutboxRow } from '../documents.js';
import { isReminder, type PlannedRow, type PolicyChannel, type PolicyIncident, type PolicyRow } from '../policy.js';
import { RETRY_FOR_MS } from './retry.js';

const MINUTE_MS = 60_000;

/** An outbox row without its snapshot. */
export type OutboxRowHead = Omit<OutboxRow, 'snapshot'>;

/** Returns a channel as the policy needs it. */
export function policyChannel(channel: ChannelDocument): PolicyChannel {
  return {
    channelId: channel._id,
    delayMs: channel.delay_minutes * MINUTE_MS,
    repeatMs: channel.repeat_minutes === null ? null : channel.repeat_minutes * MINUTE_MS,
    enabled: channel.disabled_at_ms === null,
    pausedUntilMs: channel.paused_until_ms,
  };
}

/** Returns an incident as the policy needs it. */
export function policyIncident(incident: Pick<IncidentHead, 'status' | 'acknowledged_at_ms'>): PolicyIncident {
  return { status: incident.status, acknowledged: incident.acknowledged_at_ms !== null };
}

/** Returns a row as the policy needs it. */
export function policyRow(row: OutboxRowHead): PolicyRow {
  return { ...row, channelId: row.channel_id };
}

/** Returns the row to store. Escalation steps and reminders have no snapshot, because they show the current state. */
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
    give_up_ms: planned.dueMs + RETRY_FOR_MS,
    attempted_ms: null,
    finished_ms: null,
    logged_only: false,
    error: null,
    snapshot: planned.step || isReminder(planned.event) ? null : snapshot,
  };
}

/** Returns the deliveries of each incident in the order of their events. Omits reminders that are not due yet. */
export function deliveryRecords(rows: readonly OutboxRowHead[]): Map<string, NotificationSent[]> {
  const ordered = [...rows].sort(
    (a, b) => a.event_ms - b.event_ms || a.sequence - b.sequence || (a.channel_id < b.channel_id ? -1 : 1),
  );
  const records = new Map<string, NotificationSent[]>();
  for (const row of ordered) {
    const entry = deliveryOf(row);
    if (isReminder(row.event) && entry.status === 'pending' && entry.attempts === 0) continue;
    const entries = records.get(row.incident_id);
    if (entries === undefined) records.set(row.incident_id, [entry]);
    else entries.push(entry);
  }
  return records;
}

function deliveryOf(row: OutboxRowHead): NotificationSent {
  return {
    channel: row.channel_type,
    channel_id: row.channel_id,
    event: row.event,
    sent_at_ms: row.state === 'sent' && !row.logged_only ? row.finished_ms : null,
    status: statusOf(row),
    // An attempt in progress is counted when it ends or is aborted.
    attempts: row.state === 'leased' ? row.attempts - 1 : row.attempts,
    error: row.error,
    next_attempt_ms: row.state === 'pending' ? row.next_attempt_ms : null,
    latest_attempts: [...(row.attempt_log ?? [])].reverse(),
  };
}

function statusOf(row: OutboxRowHead): NotificationSent['status'] {
  if (row.unconfirmed === true) return 'unconfirmed';
  if (row.state === 'withdrawn' || row.logged_only) return 'skipped';
  return row.state === 'leased' ? 'pending' : row.state;
}
