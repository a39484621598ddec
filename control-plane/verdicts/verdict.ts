import type { DecisionRecord, VoteRecord } from '../incidents/documents.js';
import type { VerdictState } from '../monitors/documents.js';
import { requiredDownVotes } from '../results/uptime/quorum.js';
import { type ConfirmWish, confirmWish, failingLocations, firstFailedAt } from './trouble.js';
import { evaluatedThrough, type LocationTrust, type VotingMonitor, votes, voteValidMs } from './votes.js';

/**
 * `up`: no location fails. `suspect`: some do, too few of them or not for certain. `down`: enough have failed for
 * good. `recovering`: down, and one round of checks was good. Stored as `status`, `first_failed_at_ms` and
 * `recovering_since_ms` of `VerdictState`.
 */
export type Phase = 'up' | 'suspect' | 'down' | 'recovering';

/**
 * What the votes of one moment say. `undecided`: too few are valid. `good`: fewer fail than are needed.
 * `wavering`: enough fail, but not enough of them for good. `settling`: enough failed for good a moment ago, and
 * the answers of locations that were asked to confirm are on their way. `failing`: down.
 */
export type Situation = 'undecided' | 'good' | 'wavering' | 'settling' | 'failing';

export interface VerdictSettings {
  assigned: number;
  confirmations: number | null;
  retries: number;
  interval_seconds: number;
  timeout_ms: number;
}

export type Severity = 'critical' | 'warning';

/** Version of the rule below; a decision record names the one that made it. */
export const RULE_VERSION = 1;

/** How long the first `down` majority waits for locations that have not spoken since the trouble began. */
export const SETTLE_MS = 700;

/** After the first good round the second is asked for so much later. */
export const RECHECK_AFTER_MS = 3_000;

/** A re-check that was not answered within the check's own timeout and this is asked for again. */
const RECHECK_AGAIN_MARGIN_MS = 10_000;

export interface Weighing {
  situation: Situation;
  required: number;
  valid: number;
  counts: { up: number; down: number; unknown: number; retrying: number; doubted: number };
  /** Votes of locations whose newest check failed, for good or not. */
  failing: number;
  /** While down: enough good results are newer than the first good round. */
  secondRound: boolean;
  severity: Severity;
  /** `settling` ends then; null otherwise. */
  settledAtMs: number | null;
  reason: string;
}

type Before = NonNullable<DecisionRecord['before']>;
type Rule = Pick<VerdictSettings, 'assigned' | 'confirmations'>;

/** The rule itself: what these votes say, given what was remembered. */
export function weigh(all: readonly VoteRecord[], rule: Rule, before: Before, atMs: number): Weighing {
  const valid = all.filter((vote) => vote.vote !== 'unknown');
  // A late result took the place of a vote. It must neither lower the number that is needed nor make a round good.
  const late = all.filter((vote) => vote.abstained === 'late').length;
  const required = requiredDownVotes(rule.assigned, valid.length + late, rule.confirmations);
  const majority = requiredDownVotes(rule.assigned, valid.length + late, null);
  const ups = valid.filter((vote) => vote.vote === 'up');
  const failing = valid.filter((vote) => vote.vote === 'down');
  // A doubt matters only where the locations in doubt could decide alone, against others that disagree.
  const doubtCounts = required < majority && ups.length > 0;
  const isDoubted = (vote: VoteRecord) => doubtCounts && vote.doubted === true;
  const down = failing.filter((vote) => !vote.retrying && !isDoubted(vote));
  const counts = {
    up: ups.length,
    down: down.length,
    unknown: all.length - valid.length,
    retrying: failing.filter((vote) => vote.retrying).length,
    doubted: failing.filter((vote) => !vote.retrying && isDoubted(vote)).length,
  };
  const settledAtMs =
    before.status === 'up' && down.length >= required ? settledAt(all, down, required, before, atMs) : null;
  const mayFail = failing.length + late;
  const situation = situationOf({ valid: valid.length, required, down: down.length, mayFail, settledAtMs });
  const mark = before.recovery_mark_ms ?? Number.POSITIVE_INFINITY;
  const freshUps = ups.filter((vote) => checkedAt(vote) > mark).length;
  return {
    situation,
    required,
    valid: valid.length,
    counts,
    failing: failing.length,
    // Were every location that has not checked again to fail, there would still be too few down votes.
    secondRound: situation === 'good' && freshUps > valid.length + late - required,
    severity: failing.length === valid.length ? 'critical' : 'warning',
    settledAtMs: situation === 'settling' ? settledAtMs : null,
    reason: reasonOf(situation, counts, valid.length, required, all.length),
  };
}

function situationOf(of: {
  valid: number;
  required: number;
  down: number;
  mayFail: number;
  settledAtMs: number | null;
}): Situation {
  if (of.valid === 0 || of.valid < of.required) return 'undecided';
  if (of.down >= of.required) return of.settledAtMs === null ? 'failing' : 'settling';
  return of.mayFail >= of.required ? 'wavering' : 'good';
}

/**
 * When the wait for locations ends that have not finished a check since the trouble began; null when there is
 * nothing to wait for. It lets the first message name all locations that fail, and their number be right.
 */
function settledAt(
  all: readonly VoteRecord[],
  down: readonly VoteRecord[],
  required: number,
  before: Before,
  atMs: number,
): number | null {
  const troubleMs = before.first_failed_at_ms ?? Math.min(...down.map(checkedAt));
  const outstanding = all.some(
    (vote) => vote.retrying || vote.abstained === 'late' || (vote.vote === 'up' && checkedAt(vote) < troubleMs),
  );
  if (!outstanding) return null;
  const arrivals = down.map((vote) => vote.result?.received_at_ms ?? 0).sort((a, b) => a - b);
  const settledMs = (arrivals[required - 1] ?? 0) + SETTLE_MS;
  // From another control plane's clock it may lie further off than a wait may last: then there is no wait.
  return settledMs > atMs && settledMs <= atMs + SETTLE_MS ? settledMs : null;
}

function checkedAt(vote: VoteRecord): number {
  const result = vote.result;
  if (result === null) return 0;
  return Math.min(result.checked_at_ms, result.received_at_ms ?? result.checked_at_ms);
}

function reasonOf(
  situation: Situation,
  counts: Weighing['counts'],
  valid: number,
  required: number,
  assigned: number,
): string {
  const needed = `${required} needed`;
  switch (situation) {
    case 'undecided':
      return `${valid} of ${assigned} locations have a valid vote, ${needed}: nothing is decided`;
    case 'failing':
      return `${counts.down} of ${valid} valid votes are down, ${needed}`;
    case 'settling':
      return `${counts.down} of ${valid} valid votes are down, ${needed}; the other locations are being asked`;
    case 'wavering':
      return `${counts.down} of ${valid} valid votes are down for certain, ${needed}; ${counts.retrying} retrying, ${counts.doubted} in doubt`;
    case 'good':
      return `${counts.down + counts.retrying + counts.doubted} of ${valid} valid votes fail, ${needed} for down`;
  }
}

/** The one place where a monitor changes its phase. What is not named stays as it is. */
export function transition(phase: Phase, weighing: Pick<Weighing, 'situation' | 'failing' | 'secondRound'>): Phase {
  const { situation } = weighing;
  switch (phase) {
    case 'up':
    case 'suspect':
      if (situation === 'failing') return 'down';
      return weighing.failing > 0 ? 'suspect' : situation === 'undecided' ? phase : 'up';
    case 'down':
      return situation === 'good' ? 'recovering' : 'down';
    case 'recovering':
      if (situation === 'failing') return 'down';
      return situation === 'good' && weighing.secondRound ? 'up' : 'recovering';
  }
}

export function phaseOf(state: Pick<VerdictState, 'status' | 'first_failed_at_ms' | 'recovering_since_ms'>): Phase {
  if (state.status === 'down') return state.recovering_since_ms === null ? 'down' : 'recovering';
  return state.first_failed_at_ms === null ? 'up' : 'suspect';
}

export interface Verdict {
  phase: { from: Phase; to: Phase };
  situation: Situation;
  /** `down`, `up`: what the rule says now, also when it said so before. `unchanged`: it does not say. */
  outcome: DecisionRecord['outcome'];
  severity: Severity;
  votes: VoteRecord[];
  /** `revision` and `incident` are left to `evaluate`. */
  next: VerdictState;
  decision: DecisionRecord;
  wants: {
    /** Locations to ask for a check at once because of a failure; empty: none. */
    confirm: string[];
    /** Locations to ask for the second good round now; empty: none. */
    recheck: string[];
    /** When the second round is due; null while there is none to wait for. */
    recoveryRecheckAtMs: number | null;
    /** When the answer may differ though no result comes: the end of a wait. Votes that go stale not counted. */
    againAtMs: number | null;
  };
}

/** Votes and state and the time to what follows from them. Pure: the same arguments give the same verdict. */
export function verdict(
  monitor: VotingMonitor & { state: VerdictState },
  settings: VerdictSettings,
  trust: LocationTrust,
  nowMs: number,
): Verdict {
  const state = monitor.state;
  const cast = votes(monitor, trust, nowMs);
  const failing = failingLocations(monitor, cast);
  // While down it stays what it was, so that the incident keeps the time of its first failed check.
  const keepsFirst = state.status === 'down' && state.first_failed_at_ms !== null;
  const firstFailedMs = keepsFirst ? null : firstFailedAt(cast, failing, voteValidMs(settings.interval_seconds));
  const before: Before = {
    status: state.status,
    recovering_since_ms: state.recovering_since_ms,
    recovery_mark_ms: state.recovery_mark_ms ?? null,
    first_failed_at_ms: firstFailedMs ?? state.first_failed_at_ms,
  };
  const weighing = weigh(cast, settings, before, nowMs);
  const from = phaseOf(state);
  const to = transition(from, weighing);
  const outcome = outcomeOf(weighing, to);
  const next = nextState(monitor, cast, { from, to }, nowMs);
  next.failing = failing;
  next.first_failed_at_ms = to === 'up' ? null : before.first_failed_at_ms;
  const wish: ConfirmWish =
    next.status === 'up'
      ? confirmWish(monitor, next, cast, settings.timeout_ms, nowMs)
      : { locations: [], confirm: null };
  next.confirm = wish.confirm;
  const recheckDue = next.recheck_at_ms !== null && next.recheck_at_ms !== undefined && next.recheck_at_ms <= nowMs;
  if (recheckDue) next.recheck_at_ms = nowMs + settings.timeout_ms + RECHECK_AGAIN_MARGIN_MS;
  return {
    phase: { from, to },
    situation: weighing.situation,
    outcome,
    severity: weighing.severity,
    votes: cast,
    next,
    decision: decisionOf(settings, cast, weighing, before, outcome, nowMs),
    wants: {
      confirm: wish.locations,
      recheck: recheckDue ? cast.filter((vote) => vote.abstained !== 'quarantined').map((vote) => vote.location) : [],
      recoveryRecheckAtMs: next.recheck_at_ms ?? null,
      againAtMs: weighing.settledAtMs,
    },
  };
}

function outcomeOf(weighing: Weighing, to: Phase): DecisionRecord['outcome'] {
  if (weighing.situation === 'failing') return 'down';
  return weighing.situation === 'good' && (to === 'up' || to === 'suspect') ? 'up' : 'unchanged';
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
  const mayFailYet = cast.some((vote) => vote.result?.up === false && vote.abstained !== 'stale');
  next.attention = phase.to !== 'up' || mayFailYet;
  return next;
}

function decisionOf(
  settings: VerdictSettings,
  cast: VoteRecord[],
  weighing: Weighing,
  before: Before,
  outcome: DecisionRecord['outcome'],
  nowMs: number,
): DecisionRecord {
  return {
    rule: {
      version: RULE_VERSION,
      confirmations: settings.confirmations,
      required_down_votes: weighing.required,
      retries: settings.retries,
      interval_seconds: settings.interval_seconds,
      vote_valid_ms: voteValidMs(settings.interval_seconds),
      assigned_locations: settings.assigned,
    },
    before,
    evaluated_at_ms: nowMs,
    votes: cast,
    counts: weighing.counts,
    outcome,
    reason: weighing.reason,
    times: {
      first_failed_at_ms: before.first_failed_at_ms,
      confirmed_at_ms: weighing.situation === 'failing' ? nowMs : null,
      opened_at_ms: null,
      recovered_at_ms: before.status === 'down' && outcome === 'up' ? nowMs : null,
    },
  };
}

/** The verdict once more, from its record alone. */
export function replayDecision(record: DecisionRecord): Pick<DecisionRecord, 'outcome' | 'counts' | 'reason'> & {
  required_down_votes: number;
  /** Whether it comes out as recorded. */
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
  const weighing = weigh(record.votes, rule, before, record.evaluated_at_ms ?? 0);
  const outcome = outcomeOf(weighing, transition(phaseOf(before), weighing));
  return {
    outcome,
    counts: weighing.counts,
    reason: weighing.reason,
    required_down_votes: weighing.required,
    agrees:
      outcome === record.outcome &&
      weighing.required === record.rule.required_down_votes &&
      weighing.counts.up === record.counts.up &&
      weighing.counts.down === record.counts.down &&
      weighing.counts.unknown === record.counts.unknown,
  };
}
