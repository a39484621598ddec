import { operatorSymbol } from '../fields.js';
import type { MetricRuleDocument } from '../rule-types.js';
import type { Condition } from './transition.js';

/** After so many missing samples nothing is known about the time between two samples. */
const GAP_SAMPLES = 3;

/** A metric rule and its condition for the samples of one server. */
export interface MetricRule {
  rule: MetricRuleDocument;
  condition: Condition;
}

/** Returns null for a rule without an operator or a threshold. */
export function metricRule(rule: MetricRuleDocument, sampleIntervalMs: number): MetricRule | null {
  const { threshold, for_seconds } = rule;
  const operator = operatorSymbol(rule.operator);
  if (operator === null || threshold === null) return null;
  const forMs = (for_seconds ?? 0) * 1_000;
  return { rule, condition: { operator, threshold, forMs, gapMs: GAP_SAMPLES * sampleIntervalMs } };
}
