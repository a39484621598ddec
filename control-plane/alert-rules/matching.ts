import type { IncidentSeverity } from '../incidents/documents.js';
import type { AlertRuleDocument, RuleSettings } from './documents.js';

/** Whether the rule, which must be one on servers, is for this one. Pure. */
export function matches(
  rule: Pick<RuleSettings, 'server_ids' | 'tags'>,
  server: { _id: string; tags: readonly string[] },
): boolean {
  if (rule.server_ids !== null) return rule.server_ids.includes(server._id);
  return rule.tags === null || rule.tags.some((tag) => server.tags.includes(tag));
}

/** Whether the rule is for the listings of the blacklist monitor. Pure. */
export function isForMonitor(
  rule: Pick<RuleSettings, 'type' | 'enabled' | 'blacklist_monitor_ids'>,
  monitorId: string,
): boolean {
  const { type, enabled, blacklist_monitor_ids: ids } = rule;
  return type === 'blacklist_listed' && enabled && (ids === null || ids.includes(monitorId));
}

const RANK: Record<IncidentSeverity, number> = { info: 0, warning: 1, critical: 2 };

/** What rules that see the same thing make of it together. */
export interface Merged {
  /** The one with the highest severity, of those the oldest. */
  leading: AlertRuleDocument;
  others: AlertRuleDocument[];
  severity: IncidentSeverity;
  channels: string[] | null;
}

/** null without rules. Pure. */
export function merged(rules: readonly AlertRuleDocument[]): Merged | null {
  const [leading, ...others] = [...rules].sort(
    (a, b) => RANK[b.severity] - RANK[a.severity] || (a._id < b._id ? -1 : 1),
  );
  if (leading === undefined) return null;
  return { leading, others, severity: leading.severity, channels: union(rules.map((rule) => rule.channels)) };
}

export function higher(a: IncidentSeverity, b: IncidentSeverity): IncidentSeverity {
  return RANK[a] >= RANK[b] ? a : b;
}

/** null is every channel. */
export function union(lists: readonly (readonly string[] | null)[]): string[] | null {
  const all = new Set<string>();
  for (const list of lists) {
    if (list === null) return null;
    for (const channel of list) all.add(channel);
  }
  return [...all];
}
