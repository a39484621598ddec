import { requiredDownVotes } from '../../results/results.js';
import { type CountedVote, type DecisionRecord, isCounted, type VoteRecord } from '../decision-record.js';

/** The settings of a monitor that decide how its votes count. */
export interface TallyRule {
  assigned: number;
  confirmations: number | null;
}

/** How many votes there are, and how many must be down. */
export interface Quorum {
  /** Votes that are up or down. */
  valid: number;
  /** Votes that a late result replaced. They must neither lower `required` nor complete a good round. */
  late: number;
  required: number;
  /** What `required` is without the setting `confirmations`. */
  majority: number;
}

export function quorumOf(votes: readonly VoteRecord[], { assigned, confirmations }: TallyRule): Quorum {
  const valid = votes.filter((vote) => vote.vote !== 'unknown').length;
  const late = votes.filter((vote) => vote.abstained === 'late').length;
  return {
    ...{ valid, late },
    required: requiredDownVotes(assigned, valid + late, confirmations),
    majority: requiredDownVotes(assigned, valid + late, null),
  };
}

/**
 * Returns the votes with how each counts. A doubt keeps a vote from counting only if the doubted locations could decide
 * alone although another location votes up. A doubt without effect is left out.
 */
export function countVotes(votes: readonly VoteRecord[], { required, majority }: Quorum): CountedVote[] {
  const doubtCounts = required < majority && votes.some((vote) => vote.vote === 'up');
  return votes.map(({ doubted, ...vote }) => {
    const isDoubted = doubtCounts && doubted === true;
    const because = vote.abstained ?? (vote.retrying ? 'retrying' : isDoubted ? 'doubted' : null);
    return {
      ...vote,
      ...(isDoubted ? { doubted: true } : {}),
      counted_as: because !== null || vote.vote === 'unknown' ? 'none' : vote.vote,
      not_counted_because: because,
    };
  });
}

/** Returns the votes with how the decision counted them. Those of a record of an earlier version are counted by the same rule. */
export function countedVotes(record: Pick<DecisionRecord, 'votes' | 'rule'>): CountedVote[] {
  const { votes, rule } = record;
  const counted = votes.filter(isCounted);
  if (counted.length === votes.length) return counted;
  return countVotes(votes, quorumOf(votes, { assigned: assignedOf(record), confirmations: rule.confirmations }));
}

export function assignedOf({ rule, votes }: Pick<DecisionRecord, 'votes' | 'rule'>): number {
  return rule.assigned_locations ?? votes.length;
}

/** Returns how many votes count as up and as down, and why the others do not count. */
export function countsOf(votes: readonly CountedVote[]) {
  const because = (reason: CountedVote['not_counted_because']) =>
    votes.filter((vote) => vote.not_counted_because === reason).length;
  return {
    up: votes.filter((vote) => vote.counted_as === 'up').length,
    down: votes.filter((vote) => vote.counted_as === 'down').length,
    unknown: votes.filter((vote) => vote.abstained !== null).length,
    retrying: because('retrying'),
    doubted: because('doubted'),
  };
}
