import type { IncidentDecision, IncidentSeverity } from '../incidents/documents.js';

/** The settings of rules of every type. A type adds its own fields, see `rule-type.ts`; the others are stored as null. */
export interface RuleSettings {
  name: string;
  type: string;
  /** The metric that the rule evaluates; the type again where the type evaluates none. */
  metric: string;
  severity: IncidentSeverity;
  /** The channels that are notified of the rule's incidents; null means every channel of the workspace. */
  channels: string[] | null;
  enabled: boolean;
}

/** One document of `alert_rules`. */
export interface AlertRuleDocument extends RuleSettings {
  _id: string;
  workspace_id: string;
  created_at_ms: number;
  updated_at_ms: number;
  /** Counts changes, for `ETag`. */
  version: number;
}

/** One document of `alert_rule_changes`: counts the changes of a workspace's rules, for the caches of control planes. */
export interface RuleChangesDocument {
  /** The workspace. */
  _id: string;
  count: number;
  at: Date;
}

/** One document of `alert_rule_defaults`: the workspace was given a set of default rules, which users may have deleted. */
export interface RuleDefaultsDocument {
  /** The workspace, followed by `:` and the key of the set, if it has one. */
  _id: string;
  at_ms: number;
}

/** The part of a decision record that is the same for all rule types. */
export interface SharedDecision extends IncidentDecision {
  /** The rule as it was then. If several rules match, the one with the highest severity. */
  rule: { id: string; name: string; version: number; type: string; severity: IncidentSeverity };
  /** Other rules that share the incident. */
  other_rules: { id: string; name: string }[];
}
