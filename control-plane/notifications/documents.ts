import type { IncidentDocument } from '../incidents/documents.js';
import type { NotificationSent } from '../incidents/incidents.js';
import type { ChannelType } from './channel-configs.js';

/** One attempt to deliver a notification. */
export interface DeliveryAttempt {
  at_ms: number;
  /**
   * `skipped`: only logged, because this installation cannot send it. `unconfirmed`: no recipient has confirmed that they want it.
   */
  status: 'sent' | 'failed' | 'skipped' | 'unconfirmed';
  /** HTTP status or SMTP code of the receiver; null without a response. */
  response_status: number | null;
  /** Of a sent one: what the receiver did not accept. */
  error: string | null;
}

/** A document of the collection `channels`. */
export interface ChannelDocument {
  _id: string;
  workspace_id: string;
  type: ChannelType;
  name: string;
  /** The fields of the configuration that are not secret, as the API shows them. */
  config: Record<string, unknown>;
  /** What the API shows instead of each secret field: enough to tell two secrets apart. */
  masks: Record<string, string>;
  /** The secret fields as JSON, sealed by the secret box. */
  sealed: string;
  /**
   * Set by versions that ask recipients who are not members. Missing in channels of earlier versions, whose addresses count
   * as confirmed.
   */
  asks_recipients?: true;
  /** Above 0, the channel is an escalation step. */
  delay_minutes: number;
  repeat_minutes: number | null;
  /** A disabled channel is not notified. */
  disabled_at_ms: number | null;
  disabled_reason: string | null;
  /** End of the pause that the receiver requested with `Retry-After`. */
  paused_until_ms: number;
  /**
   * Links in notifications of events until then do not work any more, because the configuration was changed: whoever has
   * one may not be a receiver any more. Missing before the first change.
   */
  links_revoked_until_ms?: number;
  /** The newest attempt of any notification, without tests; missing before the first. */
  last_delivery?: DeliveryAttempt;
  /** The newest test; missing before the first. */
  last_test?: DeliveryAttempt;
  created_at_ms: number;
  updated_at_ms: number;
  /** Number of changes of the settings, for `ETag`. */
  version: number;
}

/** The event that an outbox row notifies its channel of. */
export type RowEvent = 'opened' | 'acknowledged' | 'resolved' | `reminder#${number}`;

/**
 * pending: waits for `next_attempt_ms`. leased: a control plane delivers it until `lease_until`. sent: the channel
 * accepted it, or (e-mail without a mail server) it was logged. failed: failed permanently. withdrawn: became obsolete
 * before it was sent. The last three are final.
 */
export type RowState = 'pending' | 'leased' | 'sent' | 'failed' | 'withdrawn';

/**
 * A document of the collection `outbox`: one event of an incident for one channel. The API shows it in
 * `notifications_sent` of the incident, so it is kept as long as the incident. Attempts are recorded only here: if they
 * were recorded on the incident, deliveries would conflict with each other and with changes of the incident.
 */
export interface OutboxRow {
  /** `<incident>:<event>:<channel>`: the ID of the notification, the same in every attempt. */
  _id: string;
  workspace_id: string;
  incident_id: string;
  channel_id: string;
  channel_type: ChannelType;
  event: RowEvent;
  /** Order of the rows of one incident and channel. The policy decides which rows block later ones. */
  sequence: number;
  /** Whether it is an escalation step: `opened` for a channel with a delay. */
  step: boolean;
  state: RowState;
  next_attempt_ms: number;
  /** `schedule`: not due yet. `retry`: retried after a backoff, or as soon as the channel accepts another row. */
  waiting: 'schedule' | 'retry';
  /** By the clock of the database, because the clocks of control planes can differ. */
  lease_until: Date | null;
  /** ID of the claim that leased it; null without a lease. */
  holder: string | null;
  /** Increases with each claim. Only the newest claim may record a result. */
  fence: number;
  /** Number of claims that led to an attempt, including attempts that a crash interrupted. */
  attempts: number;
  /** Number of attempts that the receiver refused (4xx). */
  refusals: number;
  /** Time of the event. */
  event_ms: number;
  first_due_ms: number;
  give_up_ms: number;
  /** End of the last recorded attempt; null before the first. */
  attempted_ms: number | null;
  /** When a silence of the incident last ended while the row was not final: a withdrawal decided before is void. */
  unsilenced_ms?: number;
  finished_ms: number | null;
  /** Whether `sent` means only logged, because this installation cannot send it, or nobody may be sent it. */
  logged_only: boolean;
  /** Whether nobody got it because no recipient has confirmed. */
  unconfirmed?: true;
  /** Addresses that an attempt has reached which did not reach all. The next attempt leaves them out. */
  reached?: string[];
  /** The newest attempts, the oldest first; missing before the first. */
  attempt_log?: DeliveryAttempt[];
  /** Error of the last attempt, or why the row was withdrawn. */
  error: string | null;
  /**
   * The incident at the time of the event, so that every attempt sends the same message: a `Snapshot` as JSON, because
   * it is always written and read as a whole. null in final rows, and in escalation steps and reminders, which show the
   * current incident.
   */
  snapshot: string | null;
}

/** The state of an incident at the time of an event. */
export interface Snapshot {
  incident: IncidentDocument;
  /** The earlier notifications of the incident. */
  told: NotificationSent[];
}

/** Returns the ID of a notification, which is the same in every attempt. */
export function notificationId(incidentId: string, event: RowEvent, channelId: string): string {
  return `${incidentId}:${event}:${channelId}`;
}
