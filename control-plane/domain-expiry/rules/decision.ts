import { type MergedRules, otherRules } from '../../alert-rules/alert-rules.js';
import type { MonitoredDomainDocument } from '../documents.js';
import type { DomainDecisionRecord } from './decision-record.js';
import type { DomainExpiringRule } from './rule-type.js';
import type { Stage } from './stage.js';

/** Returns why a domain opens an incident. */
export function expiringDecision(
  { name, registration: { expires_at_ms, checked_at_ms, phase, registrar } }: MonitoredDomainDocument,
  days: Stage,
  due: MergedRules<DomainExpiringRule>,
  nowMs: number,
): DomainDecisionRecord {
  const { _id: id, name: ruleName, version, type, severity } = due.leading;
  return {
    rule: { id, name: ruleName, version, type, severity },
    other_rules: otherRules(due),
    registration: { domain: name, expires_at_ms, checked_at_ms, registrar, days },
    reason:
      phase === 'deleting'
        ? 'the registry says that the registration has ended and will be deleted'
        : `the registry says that the registration ends in at most ${days} days`,
    times: { since_ms: nowMs, evaluated_at_ms: nowMs, opened_at_ms: null, recovered_at_ms: null },
  };
}

/** Returns the decision at the end: that of the opening, with what the registry says now. */
export function renewedDecision(
  decision: DomainDecisionRecord,
  { registration: { expires_at_ms, checked_at_ms, registrar } }: MonitoredDomainDocument,
  atMs: number,
): DomainDecisionRecord {
  return {
    ...decision,
    registration: { ...decision.registration, expires_at_ms, checked_at_ms, registrar },
    reason:
      expires_at_ms === null
        ? 'the registry no longer says when the registration ends'
        : 'the registry says that the registration ends later',
    times: { ...decision.times, evaluated_at_ms: atMs, opened_at_ms: null, recovered_at_ms: atMs },
  };
}
