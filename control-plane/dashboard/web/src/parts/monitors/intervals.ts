import { texts } from '../../texts/app/texts.ts';

/** The intervals that every form offers, in seconds. */
export const INTERVALS_S = [10, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 21_600, 86_400];
export const INTERVAL_S_DEFAULT = 60;

/** Returns the intervals to choose from, beginning with the shortest that the plan allows. Pure. */
export function intervalsFrom(shortestS: number, ...others: readonly number[]): { value: string; label: string }[] {
  const allowed = INTERVALS_S.filter((seconds) => seconds >= shortestS);
  return [...new Set([...allowed, ...others])]
    .sort((a, b) => a - b)
    .map((seconds) => ({ value: String(seconds), label: texts.seconds(seconds) }));
}
