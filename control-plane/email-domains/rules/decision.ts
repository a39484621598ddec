import { type MergedRules, otherRules } from '../../alert-rules/alert-rules.js';
import type { EmailDomainDocument, Trouble } from '../documents.js';
import type { EmailDecisionRecord } from './decision-record.js';
import type { ScoreFellRule } from './rule-type.js';

/** Returns why the trouble of a domain opens an incident. */
export function fellDecision(
  domain: EmailDomainDocument,
  trouble: Trouble,
  due: MergedRules<ScoreFellRule>,
  nowMs: number,
): EmailDecisionRecord {
  const { _id: id, name, version, type, severity } = due.leading;
  return {
    rule: { id, name, version, type, severity },
    other_rules: otherRules(due),
    email: emailOf(domain, trouble.from_score),
    reason: 'the score fell by 10 points or more, or an area that passed failed in two consecutive checks',
    times: { since_ms: trouble.since_ms, evaluated_at_ms: nowMs, opened_at_ms: null, recovered_at_ms: null },
  };
}

/** Returns the decision at the end: that of the opening, with the score and the areas of the end. */
export function endedDecision(
  decision: EmailDecisionRecord,
  domain: EmailDomainDocument,
  atMs: number,
): EmailDecisionRecord {
  return {
    ...decision,
    email: emailOf(domain, decision.email.from_score),
    reason: 'the score is less than 10 points below what it was, and no area that passed fails any more',
    times: { ...decision.times, evaluated_at_ms: atMs, opened_at_ms: null, recovered_at_ms: atMs },
  };
}

function emailOf({ name, score, areas }: EmailDomainDocument, fromScore: number | null): EmailDecisionRecord['email'] {
  return {
    domain: name,
    from_score: fromScore,
    score,
    failing: areas
      .filter(({ standing }) => standing === 'failing')
      .map(({ area, verdict }) => ({ area, message: verdict.findings[0]?.message ?? '' })),
  };
}
