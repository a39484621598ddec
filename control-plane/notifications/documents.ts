import type { IncidentDocument } from '../incidents/documents.js';
import type { NotificationSent } from './notifications.js';
import type { ChannelType } from './schema.js';

/** One document of `channels`. */
export interface ChannelDocument {
  _id: string;
  workspace_id: string;
  type: ChannelType;
  name: string;
  /** The members of the configuration that are no secret, as the API shows them. */
  config: Record<string, unknown>;
  /** What the API shows in place of each secret member: enough to tell two apart. */
  masks: Record<string, string>;
  /** The secret members, as JSON, sealed by the secret box. */
  sealed: string;
  /** Above 0 the channel is an escalation step. */
  delay_minutes: number;
  repeat_minutes: number | null;
  /** A disabled channel is told nothing. */
  disabled_at_ms: number | null;
  disabled_reason: string | null;
  /** The receiver asked for a pause (`Retry-After`); no attempt before then. */
  paused_until_ms: number;
  created_at_ms: number;
  updated_at_ms: number;
  /** Counts changes of the settings, for `ETag`. */
  version: number;
}

/** Event of an outbox row: what the channel is told. */
export type RowEvent = 'opened' | 'acknowledged' | 'resolved' | `reminder#${number}`;

/**
 * pending: waits for `next_attempt_ms`. leased: one control plane works on it until `lease_until`.
 * sent: its channel took it, or (e-mail without a server) it was written to the log. failed: given up.
 * withdrawn: no longer wanted before it was first tried. The last three are final.
 */
export type RowState = 'pending' | 'leased' | 'sent' | 'failed' | 'withdrawn';

/**
 * One document of `outbox`: one event of an incident for one channel. It is also the record of what was sent, read
 * as the incident's `notifications_sent`, so it stays for as long as the incident. Attempts are noted here alone:
 * on the incident, deliveries to different channels would wait for one another and for the incident's own changes.
 */
export interface OutboxRow {
  /** `<incident>:<event>:<channel>`: the notification's id, the same in every attempt. */
  _id: string;
  workspace_id: string;
  incident_id: string;
  channel_id: string;
  channel_type: ChannelType;
  event: RowEvent;
  /** Order among the rows of one incident and channel; the policy says which hold back those after them. */
  sequence: number;
  /** `opened` of a channel with a delay. */
  step: boolean;
  state: RowState;
  next_attempt_ms: number;
  /** `schedule`: its time has not come. `retry`: it waits for its channel, and goes as soon as that answers again. */
  waiting: 'schedule' | 'retry';
  /** By the database's clock, so that control planes need not agree on the time. */
  lease_until: Date | null;
  /** Names the claim that leased it; null while nobody has. */
  holder: string | null;
  /** Rises with each claim; only its holder may note the outcome. */
  fence: number;
  /** Claims that led to an attempt, one cut off by a kill included. */
  attempts: number;
  /** Attempts that the channel refused for good (4xx). */
  refusals: number;
  /** When the event happened. */
  event_ms: number;
  first_due_ms: number;
  give_up_ms: number;
  /** When the last attempt ended that was noted; null before. */
  attempted_ms: number | null;
  finished_ms: number | null;
  /** `sent` to the log alone: nothing can be sent by this installation. */
  logged_only: boolean;
  /** Of the last attempt, or why it was withdrawn. */
  error: string | null;
  /**
   * How things were at the event, so that every attempt says the same: a `Snapshot` as JSON, since it is only ever
   * written and read whole. null once the row is final, and from the start in a step or a reminder, which tell how
   * things are by then.
   */
  snapshot: string | null;
}

/** How things were when an event happened. */
export interface Snapshot {
  incident: IncidentDocument;
  /** What channels had been told of it. */
  told: NotificationSent[];
}

/** The notification's id: one for each incident, event and channel, in every attempt. */
export function notificationId(incidentId: string, event: RowEvent, channelId: string): string {
  return `${incidentId}:${event}:${channelId}`;
}
