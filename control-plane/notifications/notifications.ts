import type { Actor } from '../actor.js';
import type { IncidentDocument, NotificationSent } from '../incidents/documents.js';
import type { Transaction } from '../storage/transaction.js';

/** What happened to an incident that channels are told about. */
export type NotificationEvent = 'opened' | 'acknowledged' | 'resolved';

/**
 * Turns an incident's change into outbox rows, one for each channel, inside the transaction of that change.
 * `resolved` goes only to channels that were told, or are still to be told, that it opened; steps and reminders
 * that have not been sent yet are withdrawn.
 */
export interface Notifications {
  enqueue(tx: Transaction, incident: IncidentDocument, event: NotificationEvent): Promise<void>;
}

/** What delivery needs of the incidents slice. */
export interface IncidentRecords {
  load(workspaceId: string, incidentId: string): Promise<IncidentDocument | null>;
  /** Puts the entry in the incident's `notifications_sent`, in place of an earlier one of its channel and event. */
  recordNotification(tx: Transaction, workspaceId: string, incidentId: string, entry: NotificationSent): Promise<void>;
}

/** The monitor that an incident is about, as a notification names it. */
export interface MonitorSummary {
  id: string;
  name: string;
  url: string;
  type: string;
}

/** What a message needs to know beside the incident. */
export interface MessageSources {
  /** null when the monitor is gone. */
  monitor(workspaceId: string, monitorId: string): Promise<MonitorSummary | null>;
  /** `Frankfurt` for `fra`. */
  locationName(code: string): string;
  /** The incident in the API's shape, for webhooks. */
  renderIncident(incident: IncidentDocument): Record<string, unknown>;
}

/** Who disables a channel that answered 410: Picket itself, in that workspace. */
export type WorkspaceSystemActor = (workspaceId: string) => Promise<Actor>;

/** Counters of deliveries, by channel type. */
export interface NotificationMetrics {
  sent(channelType: string): void;
  /** Given up for good. */
  failed(channelType: string): void;
  /** An attempt failed and another will follow. */
  retried(channelType: string): void;
  /** From the moment a notification was due to the answer of its channel. */
  delivered(channelType: string, delayMs: number): void;
  /** How long the oldest notification that is due has waited; 0 when none does. */
  lag(oldestDueMs: number): void;
}
