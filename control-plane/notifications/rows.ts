import type { IncidentDocument, NotificationSent } from '../incidents/documents.js';
import { type ChannelDocument, notificationId, type OutboxRow } from './documents.js';
import type { ChannelTiming, IncidentFacts, PlannedRow, RowFacts } from './policy.js';
import { GIVE_UP_AFTER_MS } from './retry.js';

const MINUTE_MS = 60_000;
/** A row tells until its incident is over whether its channel was told; no incident lasts longer than this. */
const KEPT_WHILE_OPEN_MS = 400 * 86_400_000;

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
export function factsOf(incident: IncidentDocument): IncidentFacts {
  return { status: incident.status, acknowledged: incident.acknowledged_at_ms !== null };
}

/** What the policy sees of a row. */
export function rowFacts(row: Omit<OutboxRow, 'incident'>): RowFacts {
  return { ...row, channelId: row.channel_id };
}

/** The stored row of a planned one. */
export function rowOf(
  planned: PlannedRow,
  channelType: OutboxRow['channel_type'],
  incident: IncidentDocument,
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
    fence: 0,
    attempts: 0,
    refusals: 0,
    event_ms: nowMs,
    first_due_ms: planned.dueMs,
    give_up_ms: planned.dueMs + GIVE_UP_AFTER_MS,
    finished_ms: null,
    error: null,
    incident: planned.step || planned.event.startsWith('reminder#') ? null : incident,
    expires_at: new Date(nowMs + KEPT_WHILE_OPEN_MS),
  };
}

/** The row's entry on its incident. */
export function entryOf(
  row: Pick<OutboxRow, 'channel_type' | 'channel_id' | 'event' | 'attempts'>,
  result: { status: NotificationSent['status']; sentAtMs: number | null; error: string | null },
): NotificationSent {
  return {
    channel: row.channel_type,
    channel_id: row.channel_id,
    event: row.event,
    sent_at_ms: result.sentAtMs,
    status: result.status,
    attempts: row.attempts,
    error: result.error,
  };
}
