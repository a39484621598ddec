import type { OutboxRow, RowEvent, RowState } from './documents.js';
import type { NotificationEvent } from './notifications.js';

/** What the policy knows of a channel. */
export interface ChannelTiming {
  channelId: string;
  delayMs: number;
  repeatMs: number | null;
  enabled: boolean;
  pausedUntilMs: number;
}

/** What the policy knows of a row. */
export type RowFacts = Pick<OutboxRow, 'event' | 'sequence' | 'step' | 'state' | 'attempts' | 'next_attempt_ms'> & {
  channelId: string;
};

export interface IncidentFacts {
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

/** What an incident's change does to its outbox. */
export interface Plan {
  insert: PlannedRow[];
  /** Channel and event of rows that are no longer wanted. */
  withdraw: { channelId: string; event: RowEvent }[];
  reason: string;
}

const ACKNOWLEDGED_SEQUENCE = 1_000_000;
const RESOLVED_SEQUENCE = 2_000_000;
/** How soon a row that waits for another one looks again at the earliest. */
const LOOK_AGAIN_MS = 1_000;

const FINAL: ReadonlySet<RowState> = new Set(['sent', 'failed', 'withdrawn']);

/** Decides, in the transaction of an incident's change, which rows come and which go. */
export function planEvent(
  event: NotificationEvent,
  incident: IncidentFacts,
  channels: readonly ChannelTiming[],
  rows: readonly RowFacts[],
  nowMs: number,
): Plan {
  if (event === 'opened') {
    const silenced = incident.status === 'silenced';
    return { insert: silenced ? [] : planOpened(channels, rows, nowMs), withdraw: [], reason: '' };
  }
  const withdraw = rows.filter(isUntried).filter((row) => row.step || isReminder(row.event));
  const reason = event === 'acknowledged' ? 'acknowledged before it was due' : 'resolved before it was due';
  // A silenced incident says nothing; its end, though, is told to whoever was told of its beginning.
  const quiet = event === 'acknowledged' && incident.status === 'silenced';
  const sequence = event === 'acknowledged' ? ACKNOWLEDGED_SEQUENCE : RESOLVED_SEQUENCE;
  const insert = rows
    .filter((row) => !quiet && isTelling(row) && !rows.some((other) => isSame(other, row.channelId, event)))
    .map((row) => ({ channelId: row.channelId, event, sequence, dueMs: nowMs, step: false }));
  return { insert, withdraw, reason };
}

function planOpened(channels: readonly ChannelTiming[], rows: readonly RowFacts[], nowMs: number): PlannedRow[] {
  const told = new Set(
    rows.filter((row) => row.event === 'opened' && row.state !== 'withdrawn').map((r) => r.channelId),
  );
  return channels
    .filter((channel) => channel.enabled && !told.has(channel.channelId))
    .map(({ channelId, delayMs }) => ({
      channelId,
      event: 'opened',
      sequence: 0,
      dueMs: nowMs + delayMs,
      step: delayMs > 0,
    }));
}

/** The channel was told that the incident opened, or is being told: an attempt was made, or is due without delay. */
function isTelling(row: RowFacts): boolean {
  if (row.event !== 'opened') return false;
  if (row.state === 'pending') return !row.step || row.attempts > 0;
  return row.state === 'sent' || row.state === 'leased';
}

function isUntried(row: RowFacts): boolean {
  return row.state === 'pending' && row.attempts === 0;
}

function isSame(row: RowFacts, channelId: string, event: RowEvent): boolean {
  return row.channelId === channelId && row.event === event;
}

export function isReminder(event: RowEvent): boolean {
  return event.startsWith('reminder#');
}

export type Judgement =
  | { do: 'send' }
  | { do: 'withdraw'; reason: string }
  /** Not an attempt: the row goes back until then. */
  | { do: 'wait'; untilMs: number };

/**
 * Decides what becomes of a row that is due and was just claimed (its `attempts` counts the one to come).
 * `siblings` are all rows of its incident and channel. Reads the incident as it is now: an acknowledgement or a
 * silence may have come after the row was written, and nobody withdrew it then.
 */
export function judge(
  row: RowFacts,
  siblings: readonly RowFacts[],
  incident: IncidentFacts | null,
  channel: ChannelTiming | null,
  nowMs: number,
): Judgement {
  if (incident === null) return { do: 'withdraw', reason: 'the incident was deleted' };
  if (channel === null) return { do: 'withdraw', reason: 'the channel was deleted' };
  if (!channel.enabled) return { do: 'withdraw', reason: 'the channel is disabled' };
  const unwanted = unwantedReason(row, siblings, incident);
  if (unwanted !== null) return { do: 'withdraw', reason: unwanted };
  if (channel.pausedUntilMs > nowMs) return { do: 'wait', untilMs: channel.pausedUntilMs };
  const before = siblings.filter((other) => other.sequence < row.sequence && holdsBack(other));
  if (before.length > 0) {
    return { do: 'wait', untilMs: Math.max(nowMs + LOOK_AGAIN_MS, ...before.map((other) => other.next_attempt_ms)) };
  }
  return { do: 'send' };
}

/**
 * The beginning holds back whatever follows until it is told or given up; anything else only while it is being
 * sent. A reminder that was scheduled in the very moment of the acknowledgement must not: it is due much later,
 * and withdrawn then.
 */
function holdsBack(row: RowFacts): boolean {
  return row.event === 'opened' ? !FINAL.has(row.state) : row.state === 'leased';
}

function unwantedReason(row: RowFacts, siblings: readonly RowFacts[], incident: IncidentFacts): string | null {
  const first = row.attempts <= 1;
  if (row.event === 'resolved' || row.event === 'acknowledged') {
    const opened = siblings.find((other) => other.event === 'opened');
    const told = opened !== undefined && (opened.state === 'sent' || !FINAL.has(opened.state));
    if (!told) return 'the channel was not told that it opened';
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

/** More than anybody looks at; when a later one comes, the one so many before it is forgotten. */
export const REMINDERS_KEPT = 500;

export function reminderEvent(number: number): RowEvent {
  return `reminder#${number}`;
}

/** The reminder that follows a row that was just sent; null when there is none. */
export function nextReminder(
  row: Pick<RowFacts, 'event' | 'channelId'>,
  channel: ChannelTiming,
  incident: IncidentFacts,
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
