import type { Actor } from '../actor.js';
import { invalidField } from '../errors.js';
import type { IncidentDocument, IncidentSeverity } from '../incidents/documents.js';
import type { RuleIncidentHead } from '../incidents/incidents.js';
import type { Transaction } from '../storage/transaction.js';
import type { AlertRuleDocument, SharedDecision } from './documents.js';
import type { NewRule } from './rule-type.js';

/** The alert rules, for slices that have rule types. */
export interface AlertRules extends RuleReader {
  /** Called once for each slice with rule types, when the slice is opened. */
  register(handler: RuleTypeHandler): void;
  /** Creates default rules, once per workspace: rules that a user deleted do not come back. */
  ensureDefaults(tx: Transaction, actor: Actor, defaults: DefaultRules): Promise<void>;
  /** Adds rules to the open incident that they match too: with the higher severity and the channels of all rules. */
  join(tx: Transaction, incident: IncidentDocument, rules: readonly AlertRuleDocument[]): Promise<void>;
  resolveObsolete: ResolveObsolete;
}

/** Reads alert rules. All queries are limited to a workspace, except those that are for jobs. */
export interface RuleReader {
  find(workspaceId: string, id: string, tx?: Transaction): Promise<AlertRuleDocument | null>;
  /** Returns the enabled rules, oldest first. */
  enabled(workspaceId: string, tx?: Transaction): Promise<AlertRuleDocument[]>;
  /** Returns the enabled rules from memory. Changes by other control planes are included within two seconds. */
  cached(workspaceId: string): Promise<readonly AlertRuleDocument[]>;
  /** Returns the workspaces with an enabled rule of the type. */
  workspacesWith(type: string): Promise<string[]>;
  /** Returns a text that identifies the newest change of any rule; null without one. */
  newestChange(): Promise<string | null>;
}

/** Rules that a workspace gets with its first resource. */
export interface DefaultRules {
  /** Names the set in the database; null for the first set there was. */
  key: string | null;
  rules: readonly NewRule[];
}

/** What the slice of rule types does for the engine. */
export interface RuleTypeHandler {
  types: readonly string[];
  /** Throws 422 when a target is not a resource of the workspace. Called with those target fields that a request sets. */
  checkTargets(tx: Transaction, workspaceId: string, targets: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * Returns the subjects of the incidents whose resource exists and has an enabled rule. Whether the rule's condition
   * is still met does not matter here. `incidents` are unresolved ones of the handler's types in the workspace.
   */
  withRule(
    workspaceId: string,
    incidents: readonly RuleIncidentHead[],
    rules: readonly AlertRuleDocument[],
    tx?: Transaction,
  ): Promise<ReadonlySet<string>>;
  /** Returns the handler's part of the sweep that begins now; null to be left out of it. */
  beginSweep(readRules: ReadRules): Promise<HandlerSweep | null>;
}

/** Returns the enabled rules of a workspace; in a sweep each workspace is read once. */
export type ReadRules = (workspaceId: string) => Promise<readonly AlertRuleDocument[]>;

/** Repairs what was missed: by a crash, by concurrent changes, or because only time has passed. */
export interface HandlerSweep {
  /** Opens incidents that are missing. Resolves to false when the lease was lost. */
  openMissing(stillHeld: () => Promise<boolean>): Promise<boolean>;
  /** Resolves those of a workspace's incidents whose condition is no longer met. */
  resolveEnded(workspaceId: string, incidents: readonly RuleIncidentHead[]): Promise<void>;
  /** Called when the sweep has covered all workspaces. */
  completed(): void;
}

/** Why incidents are resolved although their condition may still be met. */
export interface ObsoleteReason {
  /** Stored as the `resolution` of the incidents. */
  resolution: string;
  /** Completes "Resolved because …": `the server web-1 was deleted`. */
  because: string;
  /** The ids of resources that the same transaction deletes. */
  deleted?: string | readonly string[];
}

/** Resolves the workspace's incidents to which no rule applies any more, in the transaction of the change. */
export type ResolveObsolete = (tx: Transaction, actor: Actor, reason: ObsoleteReason) => Promise<void>;

/** Several rules that match the same condition. */
export interface MergedRules<Rule extends AlertRuleDocument = AlertRuleDocument> {
  /** The one with the highest severity; the oldest of several. */
  leading: Rule;
  others: Rule[];
  severity: IncidentSeverity;
  channels: string[] | null;
}

/** Phrases for the resolutions of rule incidents, for the kinds of incidents that rules open. */
export const RULE_RESOLUTIONS = {
  rule_deleted: 'the alert rule was deleted',
  rule_disabled: 'the alert rule was disabled',
  rule_changed: 'the alert rule was changed',
} as const;

const RANK: Record<IncidentSeverity, number> = { info: 0, warning: 1, critical: 2 };

/** Returns null without rules. */
export function mergeRules<Rule extends AlertRuleDocument>(rules: readonly Rule[]): MergedRules<Rule> | null {
  const [leading, ...others] = [...rules].sort(
    (a, b) => RANK[b.severity] - RANK[a.severity] || (a._id < b._id ? -1 : 1),
  );
  if (leading === undefined) return null;
  return { leading, others, severity: leading.severity, channels: allChannels(rules.map((rule) => rule.channels)) };
}

export function higherSeverity(a: IncidentSeverity, b: IncidentSeverity): IncidentSeverity {
  return RANK[a] >= RANK[b] ? a : b;
}

/** Returns the channels of all lists. A null means every channel of the workspace. */
export function allChannels(lists: readonly (readonly string[] | null)[]): string[] | null {
  const all = new Set<string>();
  for (const list of lists) {
    if (list === null) return null;
    for (const channel of list) all.add(channel);
  }
  return [...all];
}

/** Returns the other rules of an incident as its decision records them. */
export function otherRules({ others }: MergedRules): SharedDecision['other_rules'] {
  return others.map(({ _id: id, name }) => ({ id, name }));
}

/** Returns the rules that a decision does not record yet. */
export function missingRules(
  decision: NonNullable<RuleIncidentHead['decision']>,
  rules: readonly AlertRuleDocument[],
): AlertRuleDocument[] {
  const known = new Set([decision.rule.id, ...decision.other_rules.map(({ id }) => id)]);
  return rules.filter(({ _id }) => !known.has(_id));
}

/** Whether the incident records all of these rules. */
export function hasJoined({ decision }: RuleIncidentHead, rules: readonly AlertRuleDocument[]): boolean {
  return decision === null || missingRules(decision, rules).length === 0;
}

/** Whether the incident was resolved by hand so recently that it must not open again by itself. */
export function isInGrace(latest: IncidentDocument | null, graceMs: number, nowMs: number): boolean {
  if (latest === null || latest.resolution !== 'manual' || latest.resolved_at_ms === null) return false;
  return nowMs - latest.resolved_at_ms < graceMs;
}

/** Throws 422 for the first id that was not found. `what` is `a server`. */
export function refuseUnknown(
  field: string,
  what: string,
  ids: readonly string[],
  found: readonly { _id: string }[],
): void {
  const known = new Set(found.map(({ _id }) => _id));
  const index = ids.findIndex((id) => !known.has(id));
  if (index >= 0) throw invalidField(`/${field}/${index}`, `must be ${what} of this workspace: ${ids[index]}`);
}
