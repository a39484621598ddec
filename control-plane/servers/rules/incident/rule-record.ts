import { type MergedRules, otherRules } from '../../../alert-rules/alert-rules.js';
import type { MetricPoint } from '../../servers.js';
import { operatorSymbol } from '../fields.js';
import type { DiskFullRule, MetricRuleDocument, OfflineRule } from '../rule-types.js';
import type { RuleDecisionRecord } from './decision-record.js';

type AnyServerRule = MetricRuleDocument | OfflineRule | DiskFullRule;

/** Returns the rule as decisions record it. */
export function ruleRecord(rule: AnyServerRule): RuleDecisionRecord['rule'] {
  const { _id: id, name, version, type, metric, severity } = rule;
  return {
    ...{ id, name, version, type, metric },
    operator: rule.type === 'metric' ? operatorSymbol(rule.operator) : null,
    threshold: rule.type === 'metric' ? rule.threshold : null,
    for_seconds: rule.type === 'disk_full' ? null : rule.for_seconds,
    within_hours: rule.type === 'disk_full' ? rule.within_hours : null,
    severity,
  };
}

/** Returns the rules of a shared incident as its decision records them. */
export function rulesRecord(due: MergedRules<AnyServerRule>): Pick<RuleDecisionRecord, 'rule' | 'other_rules'> {
  return { rule: ruleRecord(due.leading), other_rules: otherRules(due) };
}

export function sampleRecords(samples: readonly MetricPoint[]): RuleDecisionRecord['samples'] {
  return samples.map(({ atMs, value }) => ({ at_ms: atMs, value }));
}
