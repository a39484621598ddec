import type { IncidentSeverity } from '../incidents/documents.js';

export const RULE_TYPES = ['metric', 'server_offline', 'disk_full', 'blacklist_listed'] as const;
/**
 * - `metric`: a value is beyond a threshold for some time.
 * - `server_offline`: nothing is heard of the agent.
 * - `disk_full`: the trend of the last hours fills a file system soon.
 * - `blacklist_listed`: a list lists what a blacklist monitor looks up.
 */
export type RuleType = (typeof RULE_TYPES)[number];

export const OPERATORS = ['>', '>=', '<', '<=', 'gt', 'gte', 'lt', 'lte'] as const;
export type Operator = (typeof OPERATORS)[number];

/** What people decide of a rule; null where a member does not belong to the type. */
export interface RuleSettings {
  name: string;
  type: RuleType;
  /** A series name such as `disk_used_percent:/var`; of an event rule its type. */
  metric: string;
  operator: Operator | null;
  threshold: number | null;
  /** `metric`: how long each sample must break the rule. `server_offline`: how long beyond the usual silence. */
  for_seconds: number | null;
  /** `disk_full`: fires when the disk will be full within so long. */
  within_hours: number | null;
  severity: IncidentSeverity;
  /** Which servers; at most one of the two, neither is all servers. */
  server_ids: string[] | null;
  /** Servers with one of these. */
  tags: string[] | null;
  /** `blacklist_listed`: which blacklist monitors; null is all. */
  blacklist_monitor_ids: string[] | null;
  /** Told of its incidents; null: every channel of the workspace. */
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

/** One document of `alert_rule_changes`: how often a workspace's rules were changed, for the caches of control planes. */
export interface RuleChangesDocument {
  /** The workspace. */
  _id: string;
  count: number;
  at: Date;
}

/** One document of `alert_rule_defaults`: the workspace was given its first rules, whatever became of them since. */
export interface RuleDefaultsDocument {
  /** The workspace, for its rules on servers; for that on listings with `:blacklist` behind it. */
  _id: string;
  at_ms: number;
}
