import type { LocationVote, Names } from '../../incidents/kind.js';
import type { CountedVote, DecisionRecord } from '../decision-record.js';
import { countedVotes } from '../rule/counted-votes.js';

/** Returns what each location said, in the order of the decision; nothing for an incident without one. */
export function locationVotes(decision: DecisionRecord | null, names: Names): LocationVote[] {
  if (decision === null) return [];
  return countedVotes(decision).map((vote) => ({
    locationCode: vote.location,
    location: names.locationName(vote.location),
    counted: vote.vote === 'down' && vote.counted_as === 'none' ? 'failing' : vote.counted_as,
    reason: reasonOf(vote),
    errorCode: vote.result?.error?.code ?? null,
    detail: vote.result?.error?.message ?? '',
    checkedAtMs: vote.result?.checked_at_ms ?? null,
  }));
}

/** `connection refused`, `connection refused, not counted: retrying`, `31 ms`, `no probe` */
function reasonOf({ result, not_counted_because: because }: CountedVote): string {
  const outcome = result === null ? null : (result.error?.code ?? `${Math.round(result.response_time_ms)} ms`);
  const notCounted = because === null ? null : outcome === null ? because : `not counted: ${because}`;
  return [outcome, notCounted]
    .filter((part) => part !== null)
    .join(', ')
    .replaceAll('_', ' ');
}
