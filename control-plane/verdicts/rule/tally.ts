import type { CountedVote, DecisionRecord, VoteRecord } from '../decision-record.js';
import { countsOf, countVotes, quorumOf, type TallyRule } from './counted-votes.js';

/**
 * What the votes of one moment mean. `undecided`: too few votes are valid. `good`: fewer locations fail than are
 * required. `unconfirmed`: enough locations fail, but some of them are still retrying or in doubt. `settling`: enough
 * failures were confirmed a moment ago, and other locations that were asked to confirm have not replied yet.
 * `failing`: the monitor is down.
 */
export type Situation = 'undecided' | 'good' | 'unconfirmed' | 'settling' | 'failing';

export type Severity = 'critical' | 'warning';

/** How long the first majority of down votes waits for locations that have not checked since the failure began. */
const SETTLE_MS = 700;

export interface Tally {
  situation: Situation;
  required: number;
  valid: number;
  /** The votes, each with how it counts. */
  votes: CountedVote[];
  counts: ReturnType<typeof countsOf>;
  /** Votes of locations whose newest check failed, confirmed or not. */
  failing: number;
  /** While the monitor is down: enough good results are newer than the first good round. */
  secondRound: boolean;
  severity: Severity;
  /** When `settling` ends; null in every other situation. */
  settledAtMs: number | null;
  reason: string;
}

/** The state before a verdict that the tally depends on. */
export type StateBefore = NonNullable<DecisionRecord['before']>;

/** Returns what these votes mean, given the state before. This is the rule of the verdict. */
export function tallyVotes(all: readonly VoteRecord[], rule: TallyRule, before: StateBefore, atMs: number): Tally {
  const quorum = quorumOf(all, rule);
  const { valid, late, required } = quorum;
  const votes = countVotes(all, quorum);
  const counts = countsOf(votes);
  const down = votes.filter((vote) => vote.counted_as === 'down');
  const failing = valid - counts.up;
  const settledAtMs =
    before.status === 'up' && down.length >= required ? settledAt(all, down, required, before, atMs) : null;
  const situation = situationOf({ valid, required, down: down.length, mayFail: failing + late, settledAtMs });
  const mark = before.recovery_mark_ms ?? Number.POSITIVE_INFINITY;
  const freshUps = votes.filter((vote) => vote.counted_as === 'up' && checkedAt(vote) > mark).length;
  return {
    ...{ situation, required, valid, votes, counts, failing },
    // Even if every location that has not checked again failed, there would be too few down votes.
    secondRound: situation === 'good' && freshUps > valid + late - required,
    severity: failing === valid ? 'critical' : 'warning',
    settledAtMs: situation === 'settling' ? settledAtMs : null,
    reason: reasonOf(situation, counts, valid, required, all.length),
  };
}

/** Returns when the check of a vote was made, at the latest when its result arrived; 0 without a result. */
export function checkedAt(vote: VoteRecord): number {
  const { result } = vote;
  if (result === null) return 0;
  return Math.min(result.checked_at_ms, result.received_at_ms ?? result.checked_at_ms);
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
  return of.mayFail >= of.required ? 'unconfirmed' : 'good';
}

/**
 * Returns when to stop waiting for locations that have not finished a check since the failure began; null if there is
 * nothing to wait for. With this wait, the first message can name all failing locations and their number.
 */
function settledAt(
  all: readonly VoteRecord[],
  down: readonly VoteRecord[],
  required: number,
  before: StateBefore,
  atMs: number,
): number | null {
  const failedMs = before.first_failed_at_ms ?? Math.min(...down.map(checkedAt));
  const outstanding = all.some(
    (vote) => vote.retrying || vote.abstained === 'late' || (vote.vote === 'up' && checkedAt(vote) < failedMs),
  );
  if (!outstanding) return null;
  const arrivals = down.map((vote) => vote.result?.received_at_ms ?? 0).sort((a, b) => a - b);
  const settledMs = (arrivals[required - 1] ?? 0) + SETTLE_MS;
  // By the clock of another control plane the time may be further away than a wait may last. Then there is no wait.
  return settledMs > atMs && settledMs <= atMs + SETTLE_MS ? settledMs : null;
}

function reasonOf(
  situation: Situation,
  counts: Tally['counts'],
  valid: number,
  required: number,
  assigned: number,
): string {
  const needed = `${required} needed`;
  switch (situation) {
    case 'undecided':
      return `${valid} of ${assigned} locations have a valid vote, ${needed}: the status stays`;
    case 'failing':
      return `${counts.down} of ${valid} valid votes are down, ${needed}`;
    case 'settling':
      return `${counts.down} of ${valid} valid votes are down, ${needed}; waiting for the other locations`;
    case 'unconfirmed':
      return `${counts.down} of ${valid} valid votes are confirmed down, ${needed}; ${counts.retrying} retrying, ${counts.doubted} in doubt`;
    case 'good':
      return `${counts.down + counts.retrying + counts.doubted} of ${valid} valid votes fail, ${needed} for down`;
  }
}
