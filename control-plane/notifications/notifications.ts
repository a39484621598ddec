import type { Actor } from '../actor.js';
import type { IncidentDocument } from '../incidents/documents.js';
import type { NotificationSent } from '../incidents/incidents.js';
import type { Transaction } from '../storage/transaction.js';

/** The monitor of an incident, as notifications show it. */
export interface MonitorSummary {
  id: string;
  name: string;
  url: string;
  type: string;
}

/** What a message needs besides the incident. */
export interface MessageSources {
  /** Returns monitors by id. Monitors that no longer exist are left out. */
  monitors(workspaceId: string, monitorIds: readonly string[]): Promise<ReadonlyMap<string, MonitorSummary>>;
  /** `Frankfurt` for `fra`. */
  locationName(code: string): string;
  /** Returns the incident in the API's shape, for webhooks. */
  renderIncident(incident: IncidentDocument, sent: readonly NotificationSent[]): Record<string, unknown>;
}

/** Returns Picket itself as an actor of the workspace; it disables channels that respond with 410. */
export type WorkspaceSystemActor = (workspaceId: string) => Promise<Actor>;

/** Counters of deliveries, by channel type. */
export interface NotificationMetrics {
  sent(channelType: string): void;
  /** A notification failed permanently. */
  failed(channelType: string): void;
  /** Nobody got a notification, because no recipient has confirmed. */
  unconfirmed(channelType: string): void;
  /** An attempt failed and another will follow. */
  retried(channelType: string): void;
  /** Time from when a notification was due to the response of its channel. */
  delivered(channelType: string, delayMs: number): void;
  /** How long the oldest due notification has waited; 0 without one. */
  lag(oldestDueMs: number): void;
}

/** Returns the link with which a receiver of a notification acts on its incident without logging in. It expires some time after `atMs`. */
export type ActionLink = (of: { workspaceId: string; incidentId: string; channelId: string; atMs: number }) => string;

/** A channel, without its configuration. */
export interface ChannelHead {
  id: string;
  name: string;
  /** The addresses of an e-mail channel; null for all others. */
  receivers: readonly string[] | null;
  /** The address of an e-mail channel with exactly one receiver; null for all others. */
  onlyReceiver: string | null;
  /** Links in notifications of events until then do not work any more; 0 without a change of the configuration. */
  linksRevokedUntilMs: number;
}

/** Reads channels. */
export interface ChannelHeads {
  /** Resolves to null when the workspace has no such channel. */
  find(workspaceId: string, id: string, tx?: Transaction): Promise<ChannelHead | null>;
  /** Resolves to the ids of the e-mail channels that send to the address. */
  sendingTo(tx: Transaction, workspaceId: string, email: string): Promise<string[]>;
}

/** Checks that channels exist. */
export interface ChannelIds {
  /**
   * Returns those of `ids` that are not channels of the workspace. A deletion of the others conflicts with the transaction, so
   * it can store their ids.
   */
  unknown(tx: Transaction, workspaceId: string, ids: readonly string[]): Promise<string[]>;
}
