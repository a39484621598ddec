import type { DecisionRecord } from '../../../control-plane/verdicts/decision-record.js';
import { outcomeOf, phaseOf, transition } from '../../../control-plane/verdicts/rule/phase.js';
import { tallyVotes } from '../../../control-plane/verdicts/rule/tally.js';

/** Makes the decision again from its record alone. `agrees` is true if the outcome is the recorded one. */
export function replayDecision(record: DecisionRecord): Pick<DecisionRecord, 'outcome' | 'counts' | 'reason'> & {
  required_down_votes: number;
  agrees: boolean;
} {
  const before = record.before ?? {
    status: 'up',
    recovering_since_ms: null,
    recovery_mark_ms: null,
    first_failed_at_ms: record.times.first_failed_at_ms,
  };
  const rule = {
    assigned: record.rule.assigned_locations ?? record.votes.length,
    confirmations: record.rule.confirmations,
  };
  const tally = tallyVotes(record.votes, rule, before, record.evaluated_at_ms ?? 0);
  const outcome = outcomeOf(tally, transition(phaseOf(before), tally));
  return {
    outcome,
    counts: tally.counts,
    reason: tally.reason,
    required_down_votes: tally.required,
    agrees:
      outcome === record.outcome &&
      tally.required === record.rule.required_down_votes &&
      tally.counts.up === record.counts.up &&
      tally.counts.down === record.counts.down &&
      tally.counts.unknown === record.counts.unknown,
  };
}
