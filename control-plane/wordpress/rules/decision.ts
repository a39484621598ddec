import { type MergedRules, otherRules } from '../../alert-rules/alert-rules.js';
import type { CheckId } from '../checks/catalogue.js';
import { stateOf } from '../checks/status.js';
import { type CheckTrouble, readingsOf, type SiteDocument } from '../documents.js';
import type { WordpressDecisionRecord } from './decision-record.js';
import type { CheckFailedRule } from './rule-type.js';

/** Returns why the trouble of a check opens an incident. */
export function failedDecision(
  { name: site, url }: SiteDocument,
  { check, evidence, measurements, from_outside, passed_at_ms, since_ms }: CheckTrouble,
  due: MergedRules<CheckFailedRule>,
  nowMs: number,
): WordpressDecisionRecord {
  const { _id: id, name, version, type, severity } = due.leading;
  return {
    rule: { id, name, version, type, severity },
    other_rules: otherRules(due),
    wordpress: { site, url, check, evidence, measurements, from_outside, passed_at_ms },
    reason: from_outside
      ? 'the check passed before, and fails as seen from outside'
      : 'the check passed before, and failed in two consecutive measurements of the plugin',
    times: { failing_since_ms: since_ms, evaluated_at_ms: nowMs, opened_at_ms: null, recovered_at_ms: null },
  };
}

/** Returns the decision at the end: that of the opening, with the evidence that the check passes. */
export function passedDecision(
  decision: WordpressDecisionRecord,
  site: SiteDocument,
  check: CheckId,
  atMs: number,
): WordpressDecisionRecord {
  return {
    ...decision,
    wordpress: { ...decision.wordpress, evidence: stateOf(readingsOf(site, check), atMs).evidence },
    reason: 'the check passes again',
    times: { ...decision.times, evaluated_at_ms: atMs, opened_at_ms: null, recovered_at_ms: atMs },
  };
}
