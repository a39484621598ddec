import { type MergedRules, otherRules } from '../../alert-rules/alert-rules.js';
import type { Listing } from '../documents.js';
import type { ListResult } from '../results.js';
import type { ListingDecisionRecord } from './decision-record.js';
import type { ListedRule } from './rule-type.js';

/** Returns why a listing opens an incident. */
export function listedDecision(
  target: string,
  listing: Listing,
  due: MergedRules<ListedRule>,
  nowMs: number,
): ListingDecisionRecord {
  const { _id: id, name, version, type, severity } = due.leading;
  const { provider, provider_name, zone, addresses, codes, meanings, policy, reason, delist_url } = listing;
  const { listed_since_ms, evidence } = listing;
  return {
    rule: { id, name, version, type, severity },
    other_rules: otherRules(due),
    listing: {
      ...{ provider, provider_name, zone, target, addresses, codes, meanings, policy, reason, delist_url },
      first: evidence.first,
      confirmed: evidence.confirmed,
      tested: evidence.tested,
    },
    answer: null,
    reason: evidence.tested
      ? 'two consecutive lookups agree, and the list passed its own tests during the second one'
      : 'two consecutive lookups agree; whether the list works is unknown',
    times: { listed_since_ms, evaluated_at_ms: nowMs, opened_at_ms: null, recovered_at_ms: null },
  };
}

/** Returns the decision at the end: that of the opening, with the final answer of the list. */
export function endedDecision(
  decision: ListingDecisionRecord,
  { status, codes, policy, reason: text }: Pick<ListResult, 'status' | 'codes' | 'policy' | 'reason'>,
  reason: string,
  atMs: number,
): ListingDecisionRecord {
  return {
    ...decision,
    answer: { at_ms: atMs, status, codes, policy, reason: text },
    reason,
    times: { ...decision.times, evaluated_at_ms: atMs, opened_at_ms: null, recovered_at_ms: atMs },
  };
}
