import type { Actor } from '../actor.js';
import type { CoveringWindow } from '../maintenance/maintenance.js';
import type { Transaction } from '../storage/transaction.js';
import type { IncidentDecision, IncidentDocument, IncidentSeverity } from './documents.js';

/** How long a manual resolve keeps a problem that still exists from opening a new incident. */
export const RESOLVE_GRACE_MS = 600_000;

export interface OpenIncident {
  /** An ID from `nextId`; defaults to a new one. */
  id?: string;
  workspaceId: string;
  kind: string;
  subject: string;
  monitor: { id: string; name: string } | null;
  resource: { type: string; id: string; name: string };
  severity: IncidentSeverity;
  message: string;
  startedAtMs: number;
  decision: IncidentDecision | null;
  channels: string[] | null;
  runbookUrl: string | null;
  /** Tags of the resource: a maintenance window can be for them. */
  tags: readonly string[];
  /**
   * The maintenance window because of which it opens as `silenced`, without notifications; null for none. Who gives it judges
   * by checks, and lets the incident fire with `unsilence`. Without it, the window that covers the resource now silences the
   * incident until it ends.
   */
  silencedBy?: CoveringWindow | null;
  /** Whether it can be a consequence of the outage of a monitor that the resource depends on. Then it is silent meanwhile. */
  followsParents?: boolean;
  /** Opens it as `firing`, without notifications, because channels were already notified of the problem. */
  alreadyNotified?: boolean;
}

export interface ResolveIncident {
  workspaceId: string;
  subject: string;
  resolution: string;
  message: string;
  recovery: IncidentDecision | null;
}

/** A resolution of an incident that the caller has read in the same transaction. */
export interface ResolveKnownIncident {
  incident: IncidentDocument;
  actor: Actor;
  resolution: string;
  message: string;
  recovery: IncidentDecision | null;
}

/** Opens and resolves incidents. Every change writes its notifications to the outbox in the same transaction. */
export interface Incidents {
  /** Opens an incident; returns null if the subject already has an unresolved one. */
  open(tx: Transaction, input: OpenIncident): Promise<IncidentDocument | null>;
  /** Resolves the unresolved incident of the subject; returns null if there is none. */
  resolveSubject(tx: Transaction, actor: Actor, input: ResolveIncident): Promise<IncidentDocument | null>;
  /** Returns the unresolved incident of the subject; null if there is none. */
  unresolved(workspaceId: string, subject: string, tx?: Transaction): Promise<IncidentDocument | null>;
}

/** A severity that increased while the incident is unresolved. */
export interface RaiseSeverity {
  workspaceId: string;
  id: string;
  severity: IncidentSeverity;
  /** The new message of the incident. */
  message: string;
  /** Message of the event in its history. */
  event: string;
}

/**
 * Operations on the incidents of outages. Many monitors can fail and recover at the same moment, so frequent
 * operations take many incidents: they make as many database round trips for all as for one.
 */
export interface OutageIncidents extends Incidents {
  /** Returns an ID for a new incident, for callers that store the ID before they open the incident. */
  nextId(): string;
  /**
   * Opens an incident for each input. The caller has read in this transaction that the subjects have no unresolved
   * incident. No two inputs may have the same subject.
   */
  openNew(tx: Transaction, inputs: readonly OpenIncident[]): Promise<void>;
  /** Resolves incidents that the caller has read as unresolved in this transaction. */
  resolveKnown(tx: Transaction, inputs: readonly ResolveKnownIncident[]): Promise<void>;
  /** Returns the unresolved incidents of the subjects, in no particular order. */
  unresolvedOf(
    tx: Transaction,
    subjects: readonly { workspaceId: string; subject: string }[],
  ): Promise<IncidentDocument[]>;
  /** Records increased severities without notifying channels again. Skips incidents that have been resolved. */
  raiseSeverities(tx: Transaction, raised: readonly RaiseSeverity[]): Promise<void>;
  /**
   * Changes incidents from `silenced` to `firing` and notifies their channels. Skips those that are no longer silenced, or
   * that a person silenced.
   */
  unsilence(tx: Transaction, silenced: readonly Unsilence[]): Promise<void>;
  /**
   * Resolves incidents that the caller has read as unresolved in this transaction, because others replace them. Channels
   * for people are not notified; integrations that keep an alert open close it.
   */
  supersede(tx: Transaction, incidents: readonly IncidentDocument[]): Promise<void>;
}

/** How an incident fires that a maintenance window silenced. */
export interface Unsilence {
  workspaceId: string;
  id: string;
  message: string;
  /** For the history. */
  event: string;
  decision: IncidentDecision;
}

/** Operations of alert rules on the incidents of servers and of blacklist listings. */
export interface RuleIncidents extends Incidents {
  /** Like `open`, for each input and in their order. No two inputs may have the same subject. */
  openAll(tx: Transaction, inputs: readonly OpenIncident[]): Promise<(IncidentDocument | null)[]>;
  /** Like `resolveSubject`, for each input. */
  resolveAll(tx: Transaction, inputs: readonly (ResolveIncident & { actor: Actor })[]): Promise<void>;
  /** Returns the unresolved incidents of the subjects, in no particular order. */
  unresolvedAmong(workspaceId: string, subjects: readonly string[]): Promise<RuleIncidentHead[]>;
  /** Returns the unresolved incidents whose subject starts with the prefix. */
  unresolvedWithPrefix(workspaceId: string, prefix: string, tx: Transaction): Promise<IncidentDocument[]>;
  /** Returns the newest incident of the subject, resolved or not. */
  latest(workspaceId: string, subject: string): Promise<IncidentDocument | null>;
  /** Returns the unresolved incidents of a workspace that alert rules opened. */
  unresolvedOfRules(workspaceId: string, tx?: Transaction): Promise<RuleIncidentHead[]>;
  /** Returns the workspaces with an unresolved incident that an alert rule opened. */
  workspacesWithRuleIncidents(): Promise<string[]>;
  /**
   * Applies another rule that matches the problem of an incident: sets the higher of the severities and notifies added
   * channels that it is open. Does nothing if the incident has been resolved.
   */
  widen(
    tx: Transaction,
    incident: IncidentDocument,
    to: { severity: IncidentSeverity; channels: string[] | null; decision: IncidentDecision; event: string },
  ): Promise<void>;
}

/** An unresolved incident of an alert rule, without its history: alert rules scan many of them. */
export interface RuleIncidentHead {
  subject: string;
  resource: { type: string; id: string; name: string };
  decision: { rule: { id: string; type: string; metric?: string }; other_rules: { id: string }[] } | null;
}

/**
 * Changes of incidents by people, audited. They throw `not_found` for an incident that the workspace of the actor does not
 * have, and `conflict` for a resolved one. Idempotent. The caller has checked what the actor may do.
 */
export interface ManualChanges {
  /** The incident keeps firing, but reminders and escalation stop. */
  acknowledge(tx: Transaction, actor: Actor, id: string): Promise<IncidentDocument>;
  /** Stops notifications of the incident, for a time or (null) until it is resolved. */
  silence(tx: Transaction, actor: Actor, input: { id: string; forMinutes: number | null }): Promise<IncidentDocument>;
}

/** The change of an incident that channels are notified of. */
export type NotificationEvent = 'opened' | 'acknowledged' | 'unsilenced' | 'resolved';

/**
 * Writes a notification for each incident and channel to the outbox, in the transaction of the change. `resolved` goes
 * only to channels that were or will be notified of the opening; it withdraws escalation steps and reminders that were
 * not sent yet. `unsilenced` goes to every channel: as `opened` to those that were not notified of the opening, as a
 * reminder to the others.
 */
export interface Notifier {
  enqueue(tx: Transaction, incidents: readonly IncidentDocument[], event: NotificationEvent): Promise<void>;
}

/** The delivery of one event of an incident to one channel. */
export interface NotificationSent {
  channel: string;
  channel_id: string;
  /** opened, resolved, acknowledged, reminder#n. */
  event: string;
  /** When the receiver accepted it; null until then, and for a notification that was only logged. */
  sent_at_ms: number | null;
  status: 'pending' | 'sent' | 'failed' | 'skipped' | 'unconfirmed';
  attempts: number;
  error: string | null;
  /** null when no attempt is planned, and while one is made. */
  next_attempt_ms: number | null;
  /** At most ten, the newest first. */
  latest_attempts: readonly {
    at_ms: number;
    status: 'sent' | 'failed' | 'skipped' | 'unconfirmed';
    response_status: number | null;
    error: string | null;
  }[];
}

/** Reads the deliveries of incidents. */
export interface NotificationRecords {
  /** Returns deliveries by incident, in the order of the events. Incidents without any are left out. */
  ofIncidents(
    workspaceId: string,
    incidentIds: readonly string[],
    tx?: Transaction,
  ): Promise<ReadonlyMap<string, NotificationSent[]>>;
}

/** The fields of an incident that decide whether a notification is still to be sent. */
export type IncidentHead = Pick<
  IncidentDocument,
  '_id' | 'workspace_id' | 'status' | 'acknowledged_at_ms' | 'monitor_id'
>;

/** An incident without its history, for reports of a period. */
export type BegunIncident = Pick<
  IncidentDocument,
  '_id' | 'kind' | 'monitor_id' | 'resource' | 'severity' | 'status' | 'started_at_ms' | 'resolved_at_ms'
>;

/** When a subject had an incident, without what the incident says. */
export type SubjectIncident = Pick<
  IncidentDocument,
  '_id' | 'subject' | 'started_at_ms' | 'resolved_at_ms' | 'resolution' | 'maintenance'
>;

/** Reads incidents for the delivery of notifications. */
export interface IncidentRecords {
  /** Returns the incidents that exist, in no particular order. */
  heads(workspaceId: string, incidentIds: readonly string[]): Promise<IncidentHead[]>;
  /** Returns the incidents that exist, in no particular order. */
  loadMany(incidents: readonly { workspaceId: string; id: string }[]): Promise<IncidentDocument[]>;
}
