import { toIso } from '../../../kernel/clock.js';
import { roundTo } from '../../../kernel/round.js';
import { optionalIso, sentNotifications, silentView } from '../../incidents/decision-view.js';
import type { NotificationSent } from '../../incidents/incidents.js';
import { shownResultId } from '../../results/documents.js';
import type { CountedVote, DecisionRecord } from '../decision-record.js';
import { assignedOf, countedVotes } from '../rule/counted-votes.js';
import type { Decision } from './decision-schema.js';

/** Returns the decision of an outage in the API's shape. */
export function decisionView(record: DecisionRecord, sent: readonly NotificationSent[]): Decision {
  const { rule, before, times, counts } = record;
  const { retrying = 0, doubted = 0 } = counts;
  return {
    rule: {
      version: rule.version,
      confirmations: rule.confirmations,
      required_down_votes: rule.required_down_votes,
      retries: rule.retries,
      interval_seconds: rule.interval_seconds,
      vote_valid_ms: rule.vote_valid_ms,
      assigned_locations: assignedOf(record),
    },
    before: {
      status: before?.status ?? 'up',
      first_failed_at: optionalIso(before?.first_failed_at_ms),
      recovering_since: optionalIso(before?.recovering_since_ms),
      first_good_round_at: optionalIso(before?.recovery_mark_ms),
    },
    evaluated_at: optionalIso(record.evaluated_at_ms),
    votes: countedVotes(record).map(voteView),
    counts: { ...counts, retrying, doubted, none: counts.unknown + retrying + doubted },
    outcome: record.outcome,
    reason: record.reason,
    silent: silentView(record),
    times: {
      first_failed_at: optionalIso(times.first_failed_at_ms),
      confirmed_at: optionalIso(times.confirmed_at_ms),
      opened_at: optionalIso(times.opened_at_ms),
      recovered_at: optionalIso(times.recovered_at_ms),
      notifications: sentNotifications(sent, times.first_failed_at_ms).map(({ notification, elapsedMs }) => ({
        ...notification,
        after_first_failed_ms: elapsedMs,
      })),
    },
  };
}

function voteView(vote: CountedVote): Decision['votes'][number] {
  const { result } = vote;
  return {
    location: vote.location,
    vote: vote.vote,
    counted_as: vote.counted_as,
    not_counted_because: vote.not_counted_because,
    abstained: vote.abstained,
    retrying: vote.retrying,
    held_from: vote.held_from == null ? null : shownResultId(vote.held_from),
    doubted: vote.doubted ?? false,
    before: vote.before === undefined ? null : { status: vote.before.status, at: toIso(vote.before.at_ms) },
    result:
      result === null
        ? null
        : {
            id: shownResultId(result.result_id),
            checked_at: toIso(result.checked_at_ms),
            received_at: toIso(result.received_at_ms ?? result.checked_at_ms),
            up: result.up,
            attempt: result.attempt,
            response_time_ms: roundTo(result.response_time_ms, 1),
            error: result.error,
          },
  };
}
