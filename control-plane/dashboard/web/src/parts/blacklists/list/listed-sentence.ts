import { type Count, shown } from '../../../texts/app/en.ts';
import { texts } from '../texts/texts.ts';

/** How many addresses are watched, and what is known of them. */
export interface ListedCounts {
  all: number;
  listed: Count;
  /** No list has answered: a missing response never counts as clean. */
  unknown: Count;
}

/** Returns how many addresses are listed, and of how many nothing is known. Pure. */
export function listedSentence({ all, listed, unknown }: ListedCounts): string {
  const words = texts.sentence;
  const some = words.listed(listed.hasMore ? words.atLeast(listed.count) : String(listed.count), all);
  if (unknown.count === 0) return listed.count === 0 ? words.clean(all) : some;
  if (listed.count === 0 && unknown.count >= all) return words.allUnknown(all);
  return `${listed.count === 0 ? words.restClean(all) : some} ${words.unknown(shown(unknown))}`;
}

/** Returns the tone of the sentence. Pure. */
export function listedTone({ listed, unknown }: ListedCounts): 'up' | 'down' | 'idle' {
  if (listed.count > 0) return 'down';
  return unknown.count > 0 ? 'idle' : 'up';
}
