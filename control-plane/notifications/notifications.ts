import type { Actor } from '../actor.js';
import type { IncidentDocument } from '../incidents/documents.js';
import type { Transaction } from '../storage/transaction.js';

/** What happened to an incident that channels are told about. */
export type NotificationEvent = 'opened' | 'acknowledged' | 'resolved';

/**
 * Turns a change of incidents into outbox rows, one for each incident and channel, inside the transaction of that
 * change. `resolved` goes only to channels that were told, or are still to be told, that it opened; steps and
 * reminders that have not been sent yet are withdrawn.
 */
export interface Notifications {
  enqueue(tx: Transaction, incidents: readonly IncidentDocument[], event: NotificationEvent): Promise<void>;
}

/** What an incident says of one event and one channel. */
export interface NotificationSent {
  channel: string;
  channel_id: string;
  /** opened, resolved, acknowledged, reminder#n. */
  event: string;
  /** Time of the last attempt; null before the first. */
  sent_at_ms: number | null;
  status: 'pending' | 'sent' | 'failed' | 'skipped';
  attempts: number;
  error: string | null;
}

/** What channels were told, for whoever shows incidents. */
export interface NotificationRecords {
  /** By incident, in the order of the events; without those of which nobody was to be told. */
  ofIncidents(
    workspaceId: string,
    incidentIds: readonly string[],
    tx?: Transaction,
  ): Promise<ReadonlyMap<string, NotificationSent[]>>;
}

/** What delivery has to know of an incident before it tells anybody. */
export type IncidentHead = Pick<
  IncidentDocument,
  '_id' | 'workspace_id' | 'status' | 'acknowledged_at_ms' | 'monitor_id'
>;

/** What delivery needs of the incidents slice. */
export interface IncidentRecords {
  /** As they are now, in no order; those that there are. */
  heads(workspaceId: string, incidentIds: readonly string[]): Promise<IncidentHead[]>;
  /** As they are now, in no order; those that there are. */
  loadMany(incidents: readonly { workspaceId: string; id: string }[]): Promise<IncidentDocument[]>;
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
  /** By id; without those that are gone. */
  monitors(workspaceId: string, monitorIds: readonly string[]): Promise<ReadonlyMap<string, MonitorSummary>>;
  /** `Frankfurt` for `fra`. */
  locationName(code: string): string;
  /** The incident in the API's shape, for webhooks. */
  renderIncident(incident: IncidentDocument, told: readonly NotificationSent[]): Record<string, unknown>;
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
