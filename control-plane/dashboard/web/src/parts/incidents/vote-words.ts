import type { Decision } from '../../api/types.ts';
import type { State } from '../../components/status-mark.tsx';
import { texts } from '../../texts/app/texts.ts';

type Vote = Decision['votes'][number];

/** Returns the mark of a vote with its spoken word. A result that did not count is no missing result. Pure. */
export function voteMark({ counted_as }: Pick<Vote, 'counted_as'>): { as: State; word: string } {
  return counted_as === 'none'
    ? { as: 'unknown', word: texts.incident.voteNone }
    : { as: counted_as, word: texts.status[counted_as] };
}

/** Returns what a location saw, in words. Pure. */
export function voteText({ counted_as, result }: Pick<Vote, 'counted_as' | 'result'>): string {
  if (counted_as === 'none') return texts.incident.voteNone;
  if (counted_as === 'down') return result?.error?.message ?? texts.incident.voteDown;
  const tookMs = result?.response_time_ms ?? null;
  return tookMs === null ? texts.status.up : texts.incident.voteUp(tookMs);
}
