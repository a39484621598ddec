import type { Actor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';
import type {
  AnyDecision,
  DecisionRecord,
  IncidentDocument,
  IncidentKind,
  IncidentSeverity,
  RuleIncidentHead,
  VoteRecord,
} from './documents.js';

/** After a resolve by hand no new incident of the same thing opens for so long; if it lasts then, one does. */
export const RESOLVE_GRACE_MS = 600_000;

export interface OpenIncident {
  /** From `nextId`; absent: it gets a new one. */
  id?: string;
  workspaceId: string;
  kind: IncidentKind;
  subject: string;
  monitor: { id: string; name: string } | null;
  resource: { type: string; id: string; name: string };
  severity: IncidentSeverity;
  message: string;
  startedAtMs: number;
  decision: AnyDecision | null;
  channels: string[] | null;
  runbookUrl: string | null;
  /** Open as `silenced`, without a notification: maintenance. */
  silent: boolean;
  /** Open as `firing`, yet without a notification: the condition was told before. */
  already_told?: boolean;
}

export interface ResolveIncident {
  workspaceId: string;
  subject: string;
  resolution: string;
  message: string;
  recovery: AnyDecision | null;
}

/** What other slices may do with incidents. Every call writes its outbox rows in the same transaction. */
export interface Incidents {
  /** null when an unresolved incident of the subject is there already. */
  open(tx: Transaction, input: OpenIncident): Promise<IncidentDocument | null>;
  /** Resolves the unresolved incident of the subject; null when there is none. */
  resolveSubject(tx: Transaction, actor: Actor, input: ResolveIncident): Promise<IncidentDocument | null>;
  /** The unresolved incident of the subject, if any. */
  unresolved(workspaceId: string, subject: string, tx?: Transaction): Promise<IncidentDocument | null>;
}

/** A severity that rose while the incident is open. */
export interface RaiseSeverity {
  workspaceId: string;
  id: string;
  severity: IncidentSeverity;
  /** The incident's sentence from now on. */
  message: string;
  /** What its history says. */
  event: string;
}

/**
 * What the verdict does to the incidents of outages. Many monitors fail and recover at the same moment, so what it
 * does often it does for many at once: as many round trips for all of them as for one.
 */
export interface OutageIncidents extends Incidents {
  /** An id for an incident that is going to be opened, for whoever has to write it down before. */
  nextId(): string;
  /** `open` for each, in their order. No two may have the same subject. */
  openAll(tx: Transaction, inputs: readonly OpenIncident[]): Promise<(IncidentDocument | null)[]>;
  /** `resolveSubject` for each that has an unresolved incident. */
  resolveAll(tx: Transaction, inputs: readonly (ResolveIncident & { actor: Actor })[]): Promise<void>;
  /** The unresolved incidents of these subjects. */
  unresolvedOf(
    tx: Transaction,
    subjects: readonly { workspaceId: string; subject: string }[],
  ): Promise<IncidentDocument[]>;
  /** Notes severities that rose. Nobody is told again; an incident that was resolved meanwhile is left alone. */
  raiseSeverities(tx: Transaction, raised: readonly RaiseSeverity[]): Promise<void>;
  /** `silenced` to `firing`, which is told; null when it is not silenced by now, or was by a person. */
  unsilence(
    tx: Transaction,
    incident: { workspaceId: string; id: string },
    to: { message: string; event: string; decision: DecisionRecord },
  ): Promise<IncidentDocument | null>;
  /**
   * Ends an incident of the subject that is of another kind; null when there is none. People are not told, programs
   * that would hold it open are.
   */
  supersede(tx: Transaction, workspaceId: string, subject: string, by: IncidentKind): Promise<IncidentDocument | null>;
}

/** What alert rules do to the incidents of servers and of listings. */
export interface RuleIncidents extends Incidents {
  /** `open` for each, in their order. No two may have the same subject. */
  openAll(tx: Transaction, inputs: readonly OpenIncident[]): Promise<(IncidentDocument | null)[]>;
  /** `resolveSubject` for each that has an unresolved incident. */
  resolveAll(tx: Transaction, inputs: readonly (ResolveIncident & { actor: Actor })[]): Promise<void>;
  /** Those of the subjects that are unresolved; in no order. */
  unresolvedAmong(workspaceId: string, subjects: readonly string[]): Promise<RuleIncidentHead[]>;
  /** The unresolved ones with a subject that begins so, with everything they have. */
  unresolvedUnder(workspaceId: string, prefix: string, tx: Transaction): Promise<IncidentDocument[]>;
  /** The newest of the subject, resolved or not. */
  latest(workspaceId: string, subject: string): Promise<IncidentDocument | null>;
  /** The unresolved ones of a workspace that alert rules made. */
  unresolvedOfRules(workspaceId: string, tx?: Transaction): Promise<RuleIncidentHead[]>;
  /** Workspaces that have one of those. */
  workspacesWithRuleIncidents(): Promise<string[]>;
  /**
   * Another rule sees what this incident is about: the higher severity is its from now on, and channels that are
   * added are told that it is open. Nothing happens when it is resolved by now.
   */
  widen(
    tx: Transaction,
    incident: IncidentDocument,
    to: { severity: IncidentSeverity; channels: string[] | null; decision: AnyDecision; event: string },
  ): Promise<void>;
}

/** Incidents of Picket itself, in the operators' workspace: one for each subject, however many control planes see it. */
export interface PlatformAlerts {
  /** Does nothing when the subject has an unresolved one, or while there is no operators' workspace yet. */
  open(
    tx: Transaction,
    alert: { subject: string; location: string; severity: IncidentSeverity; startedAtMs: number; text: PlatformText },
  ): Promise<IncidentDocument | null>;
  resolve(tx: Transaction, alert: { subject: string; location: string; text: PlatformText }): Promise<boolean>;
  /** Subjects with an unresolved alert. */
  unresolved(): Promise<Set<string>>;
  /** The newest alert of the subject, resolved or not. */
  latest(subject: string): Promise<IncidentDocument | null>;
}

/** What a platform alert has to say; the sentence is made of it by the incidents slice. */
export type PlatformText =
  | { kind: 'silent'; sinceMs: number; monitors: number }
  | { kind: 'back' }
  | { kind: 'quarantined'; failing: number; monitors: number }
  | { kind: 'trusted' };

/** The sentences of a monitor's incidents. Pure. */
export interface IncidentMessages {
  down(of: { name: string; votes: readonly VoteRecord[]; firstFailedAtMs: number }): string;
  /** A new incident of an outage whose last one was resolved by hand. */
  stillDown(of: { name: string; votes: readonly VoteRecord[]; firstFailedAtMs: number }): string;
  recovered(of: { name: string; votes: readonly VoteRecord[]; startedAtMs: number; nowMs: number }): string;
  nowCritical(votes: readonly VoteRecord[]): string;
  maintenanceEnded(): string;
  certificate(of: { name: string; notAfterMs: number; nowMs: number; issuer: string }): string;
  certificateRenewed(of: { name: string; notAfterMs: number }): string;
  certificateGone(of: { name: string }): string;
}

/** A server as a sentence names it. */
export interface NamedServer {
  name: string;
}

/** The sentences of a server's incidents. Pure. */
export interface ServerMessages {
  /** `value` and `threshold` are in the unit of the metric. */
  breached(of: {
    server: NamedServer;
    rule: { name: string; operator: string; threshold: number };
    series: string;
    unit: string;
    value: number;
    sinceMs: number;
    atMs: number;
  }): string;
  cleared(of: {
    server: NamedServer;
    rule: { operator: string; threshold: number };
    series: string;
    unit: string;
    value: number;
    startedAtMs: number;
    atMs: number;
  }): string;
  /** A series that the server no longer reports. */
  gone(of: { server: NamedServer; series: string }): string;
  offline(of: { server: NamedServer; heardAtMs: number | null; atMs: number }): string;
  online(of: { server: NamedServer; startedAtMs: number; atMs: number }): string;
  /** `hoursLeft` null: it is full already. */
  diskFull(of: {
    server: NamedServer;
    mount: string;
    percent: number;
    hoursLeft: number | null;
    pointsPerHour: number;
  }): string;
  diskRelieved(of: { server: NamedServer; mount: string; percent: number | null }): string;
  /** Why an incident ends although what it is about may last. */
  ended(of: { why: RuleIncidentEnd; by: string }): string;
  /** What an incident's history says when another rule joins it. */
  joined(of: { rule: string }): string;
}

export type RuleIncidentEnd =
  | { kind: 'rule_deleted' | 'rule_disabled' | 'rule_changed'; rule: string }
  | { kind: 'server_deleted' | 'server_changed'; server: string }
  | { kind: 'blacklist_monitor_deleted'; target: string }
  | { kind: 'no_rule' };

/** A listing as a sentence names it. */
export interface NamedListing {
  /** A domain or an address. */
  target: string;
  provider_name: string;
  codes: readonly string[];
  meanings: readonly string[];
  /** Of a domain: those of its addresses that are listed. */
  addresses: readonly string[];
  /** What the list says of it. Strangers may have written it. */
  reason: string | null;
  delist_url: string | null;
}

/** The sentences of a listing's incidents. Pure. */
export interface ListingMessages {
  listed(of: NamedListing): string;
  delisted(of: NamedListing & { startedAtMs: number; atMs: number }): string;
  /** The list is not asked any more. */
  dropped(of: NamedListing): string;
  /** Only a policy is left of the listing. `meanings` and `codes` are those of the policy. */
  policyOnly(of: NamedListing): string;
}

/** Keeps an outage that was resolved by hand from opening again at once. Implemented by the monitors slice. */
export interface OutageMute {
  mute(tx: Transaction, workspaceId: string, monitorId: string, untilMs: number): Promise<void>;
}

/** One line of a workspace's timeline. */
export interface TimelineEntry {
  workspaceId: string;
  atMs: number;
  /** incident.opened, monitor.status_changed, certificate.changed, ... */
  type: string;
  resource: { type: string; id: string; name: string };
  message: string;
  actor: string;
  metadata?: Record<string, unknown>;
}

/** Where slices note what belongs on a workspace's timeline, in the transaction of the change itself. */
export interface Timeline {
  record(tx: Transaction, entries: readonly TimelineEntry[]): Promise<void>;
}
