import type { AlertRuleDocument } from '../../alert-rules/documents.js';
import type { Condition } from './transition.js';

/** Reports that may be missing before nothing is known of what was between. */
const GAP_REPORTS = 3;

/** A rule of the type `metric`, and what it asks of a server's samples. */
export interface MetricRule {
  rule: AlertRuleDocument;
  condition: Condition;
}

/** null for a rule of another type. Pure. */
export function metricRule(rule: AlertRuleDocument, reportIntervalMs: number): MetricRule | null {
  const { type, operator, threshold, for_seconds } = rule;
  if (type !== 'metric' || operator === null || threshold === null) return null;
  const forMs = (for_seconds ?? 0) * 1_000;
  return { rule, condition: { operator, threshold, forMs, gapMs: GAP_REPORTS * reportIntervalMs } };
}
