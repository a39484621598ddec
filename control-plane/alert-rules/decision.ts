import { strict as assert } from 'node:assert';
import type { RuleDecisionRecord, RuleIncidentHead } from '../incidents/documents.js';
import type { MetricPoint } from '../servers/servers.js';
import type { AlertRuleDocument } from './documents.js';
import type { Merged } from './matching.js';

/** A rule on servers as a decision keeps it. */
export function ruleRecord(rule: AlertRuleDocument): RuleDecisionRecord['rule'] {
  const { _id: id, name, version, type, metric, operator, threshold, for_seconds, within_hours, severity } = rule;
  assert(type !== 'blacklist_listed', 'a rule on listings is no rule on servers');
  return { id, name, version, type, metric, operator, threshold, for_seconds, within_hours, severity };
}

export function sampleRecords(samples: readonly MetricPoint[]): RuleDecisionRecord['samples'] {
  return samples.map(({ atMs, value }) => ({ at_ms: atMs, value }));
}

/** Of rules that share an incident. */
export function otherRules({ others }: Merged): RuleDecisionRecord['other_rules'] {
  return others.map(({ _id: id, name }) => ({ id, name }));
}

/** Rules that a decision does not know yet. */
export function newcomers(
  decision: NonNullable<RuleIncidentHead['decision']>,
  rules: readonly AlertRuleDocument[],
): AlertRuleDocument[] {
  const known = new Set([decision.rule.id, ...decision.other_rules.map(({ id }) => id)]);
  return rules.filter(({ _id }) => !known.has(_id));
}
