import type { IncidentDecision } from '../incidents/documents.js';

/** Why a location has no valid vote. */
export const ABSTENTIONS = ['stale', 'no_result', 'no_probe', 'quarantined', 'late'] as const;
export type Abstention = (typeof ABSTENTIONS)[number];

/** Why a vote counts neither as up nor as down. */
export const NOT_COUNTED = [...ABSTENTIONS, 'retrying', 'doubted'] as const;

/** The vote of one location, with the result that it is based on. */
export interface VoteRecord {
  location: string;
  vote: 'up' | 'down' | 'unknown';
  /** Why the vote is unknown; null for a valid vote. */
  abstained: Abstention | null;
  /** The check failed and a retry follows: the vote is valid but does not count as down. */
  retrying: boolean;
  /**
   * ID of an earlier final failure (no retries left). No successful result followed, so the location still counts as
   * down while the newest failed check is retried.
   */
  held_from?: string;
  /**
   * The location's own network may have caused the failure: it is quarantined, its canary targets fail, or no spot check
   * has passed since.
   * In a decision record only where it keeps the vote from counting, see `countVotes`.
   */
  doubted?: boolean;
  /**
   * What the location had seen before the result. `up`: `at_ms` is its last successful check. `down`: its first failed check of
   * the failure that ended with the result. Missing if it is not known.
   */
  before?: { status: 'up' | 'down'; at_ms: number };
  result: {
    result_id: string;
    slot_ms?: number;
    received_at_ms?: number;
    checked_at_ms: number;
    up: boolean;
    attempt: number;
    response_time_ms: number;
    error: { code: string; message: string } | null;
  } | null;
}

/** A vote with how the decision counted it. */
export interface CountedVote extends VoteRecord {
  counted_as: 'up' | 'down' | 'none';
  /** null for a vote that counts. */
  not_counted_because: (typeof NOT_COUNTED)[number] | null;
}

/** Everything needed to replay the decision. */
export interface DecisionRecord extends IncidentDecision {
  rule: {
    version: number;
    confirmations: number | null;
    required_down_votes: number;
    retries: number;
    interval_seconds: number;
    vote_valid_ms: number;
    assigned_locations?: number;
  };
  /**
   * The verdict state before the decision. The decision depends only on this, `evaluated_at_ms`, `rule` and `votes`.
   */
  before?: {
    status: 'up' | 'down';
    recovering_since_ms: number | null;
    recovery_mark_ms: number | null;
    first_failed_at_ms: number | null;
  };
  evaluated_at_ms?: number;
  /** Records that an earlier version stored do not say how each vote counted. */
  votes: (VoteRecord | CountedVote)[];
  /** Sums of `counted_as`: every vote is in exactly one of them. */
  counts: { up: number; down: number; unknown: number; retrying?: number; doubted?: number };
  outcome: 'down' | 'up' | 'unchanged';
  reason: string;
  times: {
    first_failed_at_ms: number | null;
    confirmed_at_ms: number | null;
    opened_at_ms: number | null;
    recovered_at_ms: number | null;
  };
}

/** Whether the record says how each of its votes counted. */
export function isCounted(vote: VoteRecord | CountedVote): vote is CountedVote {
  return 'counted_as' in vote;
}

/** Whether votes of locations made the decision. */
export function isVoteDecision(decision: IncidentDecision): decision is DecisionRecord {
  return 'votes' in decision;
}
