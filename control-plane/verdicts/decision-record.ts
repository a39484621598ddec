import type { IncidentDecision } from '../incidents/documents.js';

/** The vote of one location, with the result that it is based on. */
export interface VoteRecord {
  location: string;
  vote: 'up' | 'down' | 'unknown';
  /** Why the vote is unknown: `stale`, `no_result`, `no_probe`, `quarantined`, `late`; null for a valid vote. */
  abstained: string | null;
  /** The check failed and a retry follows: the vote is valid but does not count as down. */
  retrying: boolean;
  /**
   * ID of an earlier final failure (no retries left). No successful result followed, so the location still counts as
   * down while the newest failed check is retried.
   */
  held_from?: string;
  /**
   * The location's own network may have caused the failure: its canary targets fail, or no spot check has passed since.
   * The vote does not count as down if `confirmations` is less than a majority and another location sees the monitor
   * up.
   */
  doubted?: boolean;
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
  votes: VoteRecord[];
  /** `down` excludes `retrying` and `doubted`. */
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

/** Whether votes of locations made the decision. */
export function isVoteDecision(decision: IncidentDecision): decision is DecisionRecord {
  return 'votes' in decision;
}
