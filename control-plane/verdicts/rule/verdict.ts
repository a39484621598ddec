import type { VerdictState } from '../../monitors/documents.js';
import { voteValidMs } from '../../monitors/monitors.js';
import type { DecisionRecord, VoteRecord } from '../decision-record.js';
import { failingLocations, firstFailedAt } from './failing-locations.js';
import { type ConfirmationRequest, fastConfirmation } from './fast-confirmation.js';
import { outcomeOf, type Phase, phaseOf, transition } from './phase.js';
import { checkedAt, type Severity, type Situation, type StateBefore, type Tally, tallyVotes } from './tally.js';
import { evaluatedThrough, type LocationTrust, type VotingMonitor, votes } from './votes.js';

/** The settings of a monitor that its verdict depends on. */
export interface VerdictSettings {
  assigned: number;
  confirmations: number | null;
  retries: number;
  interval_seconds: number;
  timeout_ms: number;
}

/** Version of the rule. A decision record names the version that made it. */
const RULE_VERSION = 1;

/** The second good round is requested this long after the first. */
const RECHECK_AFTER_MS = 3_000;

/** A second round that is not answered within the timeout of the check and this margin is requested again. */
const RECHECK_AGAIN_MARGIN_MS = 10_000;

export interface Verdict {
  phase: { from: Phase; to: Phase };
  situation: Situation;
  /** What the rule decides now, see `outcomeOf`. */
  outcome: DecisionRecord['outcome'];
  severity: Severity;
  /** The votes before they are counted; those of `decision` say how each counts. */
  votes: VoteRecord[];
  /** The evaluator sets `revision` and `incident`. */
  next: VerdictState;
  decision: DecisionRecord;
  /** Locations that must check at once; empty: none. */
  requests: {
    /** Because of a failure. */
    confirm: string[];
    /** For the second good round. */
    recheck: string[];
  };
  /** When to request the second round; null while the monitor does not recover. */
  recoveryRecheckAtMs: number | null;
  /** When a wait ends, so that the verdict may change without a new result. Votes that become stale are not included. */
  reevaluateAtMs: number | null;
}

/** Returns the verdict on a monitor. Pure: the same arguments give the same verdict. */
export function verdict(
  monitor: VotingMonitor & { state: VerdictState },
  settings: VerdictSettings,
  trust: LocationTrust,
  nowMs: number,
): Verdict {
  const cast = votes(monitor, trust, nowMs);
  const failing = failingLocations(monitor, cast);
  const before = stateBefore(monitor.state, cast, failing, settings);
  const tally = tallyVotes(cast, settings, before, nowMs);
  const from = phaseOf(monitor.state);
  const to = transition(from, tally);
  const outcome = outcomeOf(tally, to);
  const next = nextState(monitor, cast, { from, to }, nowMs);
  next.failing = failing;
  next.first_failed_at_ms = to === 'up' ? null : before.first_failed_at_ms;
  const confirmation: ConfirmationRequest =
    next.status === 'up'
      ? fastConfirmation(monitor, next, cast, settings.timeout_ms, nowMs)
      : { locations: [], confirm: null };
  next.confirm = confirmation.confirm;
  const recheckDue = next.recheck_at_ms !== null && next.recheck_at_ms !== undefined && next.recheck_at_ms <= nowMs;
  if (recheckDue) next.recheck_at_ms = nowMs + settings.timeout_ms + RECHECK_AGAIN_MARGIN_MS;
  return {
    phase: { from, to },
    situation: tally.situation,
    outcome,
    severity: tally.severity,
    votes: cast,
    next,
    decision: decisionOf(settings, tally, before, outcome, nowMs),
    requests: {
      confirm: confirmation.locations,
      recheck: recheckDue ? cast.filter((vote) => vote.abstained !== 'quarantined').map((vote) => vote.location) : [],
    },
    recoveryRecheckAtMs: next.recheck_at_ms ?? null,
    reevaluateAtMs: tally.settledAtMs,
  };
}

function stateBefore(
  state: VerdictState,
  cast: readonly VoteRecord[],
  failing: Parameters<typeof firstFailedAt>[1],
  settings: VerdictSettings,
): StateBefore {
  // While the monitor is down this time stays, so that the incident keeps the time of its first failed check.
  const keepsFirst = state.status === 'down' && state.first_failed_at_ms !== null;
  const firstFailedMs = keepsFirst ? null : firstFailedAt(cast, failing, voteValidMs(settings.interval_seconds));
  return {
    status: state.status,
    recovering_since_ms: state.recovering_since_ms,
    recovery_mark_ms: state.recovery_mark_ms ?? null,
    first_failed_at_ms: firstFailedMs ?? state.first_failed_at_ms,
  };
}

function nextState(
  monitor: VotingMonitor & { state: VerdictState },
  cast: readonly VoteRecord[],
  phase: { from: Phase; to: Phase },
  nowMs: number,
): VerdictState {
  const { state } = monitor;
  const status = phase.to === 'up' || phase.to === 'suspect' ? 'up' : 'down';
  const next: VerdictState = { ...state, status };
  if (status !== state.status) next.changed_at_ms = nowMs;
  const newestVote = Math.max(0, ...cast.filter((vote) => vote.vote !== 'unknown').map(checkedAt));
  if (phase.from !== phase.to) next.evaluated_through_ms = Math.max(evaluatedThrough(monitor), newestVote);
  if (status === 'up') next.incident = null;
  if (phase.to !== 'recovering') {
    next.recovering_since_ms = null;
    next.recovery_mark_ms = null;
    next.recheck_at_ms = null;
  } else if (phase.from !== 'recovering') {
    next.recovering_since_ms = nowMs;
    next.recovery_mark_ms = newestVote;
    next.recheck_at_ms = nowMs + RECHECK_AFTER_MS;
  }
  const hasFailedResult = cast.some((vote) => vote.result?.up === false && vote.abstained !== 'stale');
  next.attention = phase.to !== 'up' || hasFailedResult;
  return next;
}

function decisionOf(
  settings: VerdictSettings,
  tally: Tally,
  before: StateBefore,
  outcome: DecisionRecord['outcome'],
  nowMs: number,
): DecisionRecord {
  return {
    rule: {
      version: RULE_VERSION,
      confirmations: settings.confirmations,
      required_down_votes: tally.required,
      retries: settings.retries,
      interval_seconds: settings.interval_seconds,
      vote_valid_ms: voteValidMs(settings.interval_seconds),
      assigned_locations: settings.assigned,
    },
    before,
    evaluated_at_ms: nowMs,
    votes: tally.votes,
    counts: tally.counts,
    outcome,
    reason: tally.reason,
    times: {
      first_failed_at_ms: before.first_failed_at_ms,
      confirmed_at_ms: tally.situation === 'failing' ? nowMs : null,
      opened_at_ms: null,
      recovered_at_ms: before.status === 'down' && outcome === 'up' ? nowMs : null,
    },
  };
}
