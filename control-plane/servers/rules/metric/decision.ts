import type { MetricPoint } from '../../servers.js';
import { operatorSymbol } from '../fields.js';
import type { RuleDecisionRecord } from '../incident/decision-record.js';
import { ruleRecord, sampleRecords } from '../incident/rule-record.js';
import type { MetricRuleDocument } from '../rule-types.js';
import type { Outcome } from './transition.js';

/** Returns why a metric rule fired. */
export function firedDecision(
  rule: MetricRuleDocument,
  fire: Extract<Outcome, { kind: 'fire' }>,
  last: MetricPoint,
  nowMs: number,
): RuleDecisionRecord {
  const seconds = Math.round((last.atMs - fire.sinceMs) / 1_000);
  const condition = conditionOf(rule);
  return {
    rule: ruleRecord(rule),
    other_rules: [],
    samples: sampleRecords(fire.samples),
    value: last.value,
    forecast: null,
    reason:
      fire.count === 1
        ? `${condition} in one sample`
        : `${condition} in each of ${fire.count} samples over ${seconds} s`,
    times: {
      breaching_since_ms: fire.sinceMs,
      evaluated_at_ms: nowMs,
      opened_at_ms: null,
      recovered_at_ms: null,
    },
  };
}

/** Returns why the incident of a metric rule was resolved. */
export function recoveredDecision(
  rule: MetricRuleDocument,
  samples: readonly MetricPoint[],
  last: MetricPoint,
  { nowMs, sinceMs }: { nowMs: number; sinceMs: number },
): RuleDecisionRecord {
  return {
    rule: ruleRecord(rule),
    other_rules: [],
    samples: sampleRecords(samples),
    value: last.value,
    forecast: null,
    reason: `not ${conditionOf(rule)} in ${samples.length} consecutive samples`,
    times: {
      breaching_since_ms: sinceMs,
      evaluated_at_ms: nowMs,
      opened_at_ms: null,
      recovered_at_ms: samples[0]?.atMs ?? nowMs,
    },
  };
}

function conditionOf({ metric, operator, threshold }: MetricRuleDocument): string {
  return `${metric} ${operatorSymbol(operator)} ${threshold}`;
}
