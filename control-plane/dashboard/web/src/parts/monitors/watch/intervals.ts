import { texts } from '../../../texts/app/texts.ts';

const INTERVALS_S = [10, 30, 60, 300, 900, 3_600];
export const INTERVAL_S_DEFAULT = 60;

/** Returns the intervals to choose from, beginning with the shortest that the plan allows. */
export function intervalsFrom(shortestS: number): { value: string; label: string }[] {
  return INTERVALS_S.filter((seconds) => seconds >= shortestS).map((seconds) => ({
    value: String(seconds),
    label: texts.seconds(seconds),
  }));
}
