import type { Decision } from '../../../api/types.ts';
import type { State } from '../../../components/status-mark.tsx';
import { texts } from '../../../texts/app/texts.ts';
import { checkErrorText } from '../../../texts/check-errors/check-error.ts';
import { type Said, say } from '../../../texts/said.ts';
import { sentence } from '../../../texts/sentence.ts';
import { texts as own } from '../texts/texts.ts';

type Vote = Decision['votes'][number];

/** Returns the mark of a vote with its spoken word. A result that did not count is no missing result. Pure. */
export function voteMark({ counted_as, vote }: Pick<Vote, 'counted_as' | 'vote'>): { as: State; word: string } {
  if (counted_as === 'none' && vote === 'down') return { as: 'unknown', word: own.voteFailing };
  return counted_as === 'none'
    ? { as: 'unknown', word: texts.incident.voteNone }
    : { as: counted_as, word: texts.status[counted_as] };
}

/** Returns what a location saw, in words. Pure. */
export function voteText({ counted_as, vote, result }: Pick<Vote, 'counted_as' | 'vote' | 'result'>): string {
  if (counted_as === 'none' && vote !== 'down') return texts.incident.voteNone;
  if (vote === 'down') return result?.error ? checkErrorText(result.error) : texts.incident.voteDown;
  const tookMs = result?.response_time_ms ?? null;
  return tookMs === null ? texts.status.up : texts.incident.voteUp(tookMs);
}

/** Returns why a vote did not count, as a sentence. Pure. */
export function notCountedText(why: NonNullable<Vote['not_counted_because']>): string {
  return sentence(texts.incident.notCounted[why]);
}

/** Returns what a location had seen before its vote, in words. Pure. */
export function seenBefore({ status, at }: NonNullable<Vote['before']>): Said {
  return say((time) => own.before[status](time(at, 'atSecond')));
}
