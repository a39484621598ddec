import type { FailingLocation } from '../../monitors/documents.js';
import { believedCheckedAt } from '../../monitors/monitors.js';
import { resultId } from '../../results/documents.js';
import type { VoteRecord } from '../decision-record.js';
import { knownFailure, type VotingMonitor } from './votes.js';

/**
 * Returns which locations fail and since when, for the next state. A location is removed once it is good again or its
 * result is stale. A location without a valid vote for another reason keeps its entry until it can vote again.
 */
export function failingLocations(
  monitor: VotingMonitor,
  votes: readonly VoteRecord[],
): Record<string, FailingLocation> {
  const failing: Record<string, FailingLocation> = {};
  for (const { location, abstained } of votes) {
    const result = monitor.live[location];
    if (result === undefined || result.up || abstained === 'stale') continue;
    const known = knownFailure(monitor, location);
    if (abstained === 'late') {
      if (known !== null) failing[location] = known;
      continue;
    }
    const confirmed = result.final ? resultId(monitor._id, result.slot_ms, location, result.attempt) : null;
    failing[location] = {
      since_ms: known?.since_ms ?? believedCheckedAt(result),
      confirmed_result_id: known?.confirmed_result_id ?? confirmed,
      from_version: monitor.live_from_version,
    };
  }
  return failing;
}

/**
 * Returns when the first failed check of the current failure was made; null when no valid vote is down. A location
 * that has failed alone for days is a separate failure from one that joins it now: going back from the newest start,
 * the failure began where no other location started to fail for as long as a vote is valid.
 */
export function firstFailedAt(
  votes: readonly VoteRecord[],
  failing: Readonly<Record<string, FailingLocation>>,
  validMs: number,
): number | null {
  const starts = votes
    .filter((vote) => vote.vote === 'down')
    .map((vote) => failing[vote.location]?.since_ms)
    .filter((since) => since !== undefined)
    .sort((a, b) => b - a);
  let first: number | null = null;
  for (const since of starts) {
    if (first !== null && first - since > validMs) break;
    first = since;
  }
  return first;
}
