import { toIso } from '../../../kernel/clock.js';
import { optionalIso, sentNotifications } from '../../incidents/decision-view.js';
import type { NotificationSent } from '../../incidents/incidents.js';
import type { DecisionRecord } from '../decision-record.js';
import type { Decision } from './decision-schema.js';

/** Returns the decision of an outage in the API's shape. */
export function decisionView(record: DecisionRecord, sent: readonly NotificationSent[]): Decision {
  const { rule, before, times, counts } = record;
  return {
    rule: {
      version: rule.version,
      confirmations: rule.confirmations,
      required_down_votes: rule.required_down_votes,
      retries: rule.retries,
      interval_seconds: rule.interval_seconds,
      vote_valid_ms: rule.vote_valid_ms,
      assigned_locations: rule.assigned_locations ?? record.votes.length,
    },
    before: {
      status: before?.status ?? 'up',
      first_failed_at: optionalIso(before?.first_failed_at_ms),
      recovering_since: optionalIso(before?.recovering_since_ms),
      first_good_round_at: optionalIso(before?.recovery_mark_ms),
    },
    evaluated_at: optionalIso(record.evaluated_at_ms),
    votes: record.votes.map(voteView),
    counts: { ...counts, retrying: counts.retrying ?? 0, doubted: counts.doubted ?? 0 },
    outcome: record.outcome,
    reason: record.reason,
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

function voteView(vote: DecisionRecord['votes'][number]): Decision['votes'][number] {
  const { result } = vote;
  return {
    location: vote.location,
    vote: vote.vote,
    abstained: vote.abstained,
    retrying: vote.retrying,
    held_from: vote.held_from ?? null,
    doubted: vote.doubted ?? false,
    result:
      result === null
        ? null
        : {
            id: result.result_id,
            checked_at: toIso(result.checked_at_ms),
            up: result.up,
            attempt: result.attempt,
            response_time_ms: result.response_time_ms,
            error: result.error,
          },
  };
}
