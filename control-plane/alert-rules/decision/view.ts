import { toIso } from '../../../kernel/clock.js';
import { optionalIso } from '../../incidents/decision-view.js';
import type { SharedDecision } from '../documents.js';

/** Returns the rules of a decision in the API's shape. */
export function decidingRules<Decision extends SharedDecision>(decision: Decision) {
  const rule: Decision['rule'] = { ...decision.rule };
  return { rule, other_rules: decision.other_rules.map(({ id, name }) => ({ id, name })) };
}

/** Returns the times of a decision beside that of its cause, in the API's shape. */
export function decisionTimes(times: SharedDecision['times'] & { evaluated_at_ms: number }) {
  return {
    evaluated_at: toIso(times.evaluated_at_ms),
    opened_at: optionalIso(times.opened_at_ms),
    recovered_at: optionalIso(times.recovered_at_ms),
  };
}
