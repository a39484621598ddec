import type { NotificationEvent } from '../incidents/incidents.js';
import type { OutboxRow, RowEvent, RowState } from './documents.js';

/** The fields of a channel that the policy uses. */
export interface PolicyChannel {
  channelId: string;
  delayMs: number;
  repeatMs: number | null;
  enabled: boolean;
  pausedUntilMs: number;
}

/** The fields of an outbox row that the policy uses. */
export type PolicyRow = Pick<
  OutboxRow,
  'event' | 'sequence' | 'step' | 'state' | 'attempts' | 'next_attempt_ms' | 'attempted_ms'
> & {
  channelId: string;
};

/** The fields of an incident that the policy uses. */
export interface PolicyIncident {
  status: 'firing' | 'resolved' | 'silenced';
  acknowledged: boolean;
}

export interface PlannedRow {
  channelId: string;
  event: RowEvent;
  sequence: number;
  dueMs: number;
  step: boolean;
}

/** A pending row with another due time. */
export interface MovedRow {
  channelId: string;
  event: RowEvent;
  dueMs: number;
}

/** The changes that an event of an incident makes to its outbox rows. */
export interface Plan {
  insert: PlannedRow[];
  move: MovedRow[];
  /** Channel and event of rows that are no longer to be sent. */
  withdraw: { channelId: string; event: RowEvent }[];
  /** Why rows are withdrawn. */
  reason: string;
}

const ACKNOWLEDGED_SEQUENCE = 1_000_000;
const RESOLVED_SEQUENCE = 2_000_000;
/** A row that waits for another row is claimed again after this time at the earliest. */
const RECHECK_MS_MIN = 1_000;
/** The reminder at the end of a silence comes this long after the last attempt to notify the channel, or later. */
const UNSILENCED_PAUSE_MS = 60_000;

const FINAL: ReadonlySet<RowState> = new Set(['sent', 'failed', 'withdrawn']);

/** Returns the changes to the outbox that an event of an incident requires. Pure. */
export function planEvent(
  event: NotificationEvent,
  incident: PolicyIncident,
  channels: readonly PolicyChannel[],
  rows: readonly PolicyRow[],
  nowMs: number,
): Plan {
  if (event === 'opened') {
    const silenced = incident.status === 'silenced';
    return { insert: silenced ? [] : planOpened(channels, rows, nowMs), move: [], withdraw: [], reason: '' };
  }
  if (event === 'unsilenced') return planUnsilenced(incident, channels, rows, nowMs);
  const withdraw = rows.filter(isUntried).filter((row) => row.step || isReminder(row.event));
  const reason = event === 'acknowledged' ? 'acknowledged before it was due' : 'resolved before it was due';
  // A silenced incident sends no notification but `resolved`, which goes to the channels notified of its opening.
  const suppressed = event === 'acknowledged' && incident.status === 'silenced';
  const sequence = event === 'acknowledged' ? ACKNOWLEDGED_SEQUENCE : RESOLVED_SEQUENCE;
  const insert = rows
    .filter(
      (row) => !suppressed && notifiesOfOpening(row) && !rows.some((other) => isSame(other, row.channelId, event)),
    )
    .map((row) => ({ channelId: row.channelId, event, sequence, dueMs: nowMs, step: false }));
  return { insert, move: [], withdraw, reason };
}

function planOpened(channels: readonly PolicyChannel[], rows: readonly PolicyRow[], nowMs: number): PlannedRow[] {
  const planned = new Set(
    rows.filter((row) => row.event === 'opened' && row.state !== 'withdrawn').map((row) => row.channelId),
  );
  return channels
    .filter((channel) => channel.enabled && !planned.has(channel.channelId))
    .map(({ channelId, delayMs }) => ({
      channelId,
      event: 'opened',
      sequence: 0,
      dueMs: nowMs + delayMs,
      step: delayMs > 0,
    }));
}

/**
 * A silence has ended: channels that were not notified of the opening are notified of it, the others get a reminder. One
 * that waits already is moved, so that silencing again and again makes no more of them. An acknowledged incident stays
 * quiet: somebody works on it.
 */
function planUnsilenced(
  incident: PolicyIncident,
  channels: readonly PolicyChannel[],
  rows: readonly PolicyRow[],
  nowMs: number,
): Plan {
  const plan: Plan = {
    insert: [],
    move: [],
    withdraw: [],
    reason: 'replaced by the notification at the end of the silence',
  };
  if (incident.acknowledged) return plan;
  plan.insert.push(...planOpened(channels, rows, nowMs));
  for (const { channelId, enabled } of channels) {
    const own = rows.filter((row) => row.channelId === channelId);
    if (!enabled || !own.some((row) => row.event === 'opened' && row.state === 'sent')) continue;
    const dueMs = reminderDueMs(own, nowMs);
    const reminders = own.filter((row) => isReminder(row.event)).sort((a, b) => b.sequence - a.sequence);
    const [waiting, ...others] = reminders.filter((row) => row.state === 'pending');
    plan.withdraw.push(...others.filter(isUntried));
    if (waiting !== undefined) plan.move.push({ channelId, event: waiting.event, dueMs });
    else {
      const number = 1 + (reminders[0]?.sequence ?? 0);
      plan.insert.push({ channelId, event: reminderEvent(number), sequence: number, dueMs, step: false });
    }
  }
  return plan;
}

/** Returns now, or the end of the pause after the newest attempt to notify the channel. One in progress counts as of now. */
function reminderDueMs(own: readonly PolicyRow[], nowMs: number): number {
  const attemptsMs = own.map((row) => (row.state === 'leased' ? nowMs : (row.attempted_ms ?? 0)));
  return Math.max(nowMs, Math.max(...attemptsMs) + UNSILENCED_PAUSE_MS);
}

/** Whether the row notified its channel of the opening, or will: an attempt was made or is due without delay. */
function notifiesOfOpening(row: PolicyRow): boolean {
  if (row.event !== 'opened') return false;
  if (row.state === 'pending') return !row.step || row.attempts > 0;
  return row.state === 'sent' || row.state === 'leased';
}

function isUntried(row: PolicyRow): boolean {
  return row.state === 'pending' && row.attempts === 0;
}

function isSame(row: PolicyRow, channelId: string, event: RowEvent): boolean {
  return row.channelId === channelId && row.event === event;
}

export function isReminder(event: RowEvent): boolean {
  return event.startsWith('reminder#');
}

export type DeliveryDecision =
  | { action: 'send' }
  | { action: 'withdraw'; reason: string }
  /** Releases the row until then. This is not counted as an attempt. */
  | { action: 'wait'; untilMs: number };

/**
 * Decides what to do with a due row that was just claimed; its `attempts` includes the coming one. `siblings` are other
 * rows of its incident and channel, at least those that opened it and those being sent. `incident` is its current state:
 * an acknowledgement or a silence after the row was written does not always withdraw the row. Pure.
 */
export function decideDelivery(
  row: PolicyRow,
  siblings: readonly PolicyRow[],
  incident: PolicyIncident | null,
  channel: PolicyChannel | null,
  nowMs: number,
): DeliveryDecision {
  if (incident === null) return { action: 'withdraw', reason: 'the incident was deleted' };
  if (channel === null) return { action: 'withdraw', reason: 'the channel was deleted' };
  if (!channel.enabled) return { action: 'withdraw', reason: 'the channel is disabled' };
  const reason = withdrawReason(row, siblings, incident);
  if (reason !== null) return { action: 'withdraw', reason };
  if (channel.pausedUntilMs > nowMs) return { action: 'wait', untilMs: channel.pausedUntilMs };
  const blocking = siblings.filter((other) => other.sequence < row.sequence && blocksLaterRows(other));
  if (blocking.length > 0) {
    const untilMs = Math.max(nowMs + RECHECK_MS_MIN, ...blocking.map((other) => other.next_attempt_ms));
    return { action: 'wait', untilMs };
  }
  return { action: 'send' };
}

/**
 * Whether later rows must wait for this one. `opened` blocks them until it is final, other rows only while they are
 * being sent. A reminder that was scheduled at the same moment as an acknowledgement must not block it: the reminder is
 * due much later, and is then withdrawn.
 */
function blocksLaterRows(row: PolicyRow): boolean {
  return row.event === 'opened' ? !FINAL.has(row.state) : row.state === 'leased';
}

function withdrawReason(row: PolicyRow, siblings: readonly PolicyRow[], incident: PolicyIncident): string | null {
  const first = row.attempts <= 1;
  if (row.event === 'resolved' || row.event === 'acknowledged') {
    const opened = siblings.find((other) => other.event === 'opened');
    const notified = opened !== undefined && (opened.state === 'sent' || !FINAL.has(opened.state));
    if (!notified) return 'the channel was not notified of the opening';
    return row.event === 'acknowledged' && incident.status === 'silenced' ? 'silenced before it was sent' : null;
  }
  if (isReminder(row.event)) {
    if (incident.status !== 'firing') return `${incident.status} before it was due`;
    return incident.acknowledged ? 'acknowledged before it was due' : null;
  }
  if (incident.status === 'silenced' && first) return 'silenced before it was sent';
  if (!row.step || !first) return null;
  if (incident.status === 'resolved') return 'resolved before it was due';
  return incident.acknowledged ? 'acknowledged before it was due' : null;
}

/** Maximum number of stored reminders per incident and channel. A new reminder replaces the oldest. */
export const REMINDERS_KEPT = 500;

export function reminderEvent(number: number): RowEvent {
  return `reminder#${number}`;
}

/** Returns the reminder that follows a row that was just sent; null if none follows. Pure. */
export function nextReminder(
  row: Pick<PolicyRow, 'event' | 'channelId'>,
  channel: PolicyChannel,
  incident: PolicyIncident,
  sentMs: number,
): PlannedRow | null {
  if (row.event === 'acknowledged' || row.event === 'resolved') return null;
  if (channel.repeatMs === null || incident.status !== 'firing' || incident.acknowledged) return null;
  const number = row.event === 'opened' ? 1 : Number(row.event.slice('reminder#'.length)) + 1;
  return {
    channelId: row.channelId,
    event: reminderEvent(number),
    sequence: number,
    dueMs: sentMs + channel.repeatMs,
    step: false,
  };
}
