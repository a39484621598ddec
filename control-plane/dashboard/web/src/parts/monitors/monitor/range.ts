const HOUR_MS = 3_600_000;

/** The ranges of the charts of a monitor, in milliseconds. */
export const RANGES_MS = {
  ...{ '1h': HOUR_MS, '6h': 6 * HOUR_MS, '24h': 24 * HOUR_MS },
  ...{ '7d': 168 * HOUR_MS, '30d': 720 * HOUR_MS, '90d': 2_160 * HOUR_MS },
};
export type RangeName = keyof typeof RANGES_MS;
export const RANGES = Object.keys(RANGES_MS) as RangeName[];

/** Returns the search parameter of a URL that names a range; without it if it names none. Pure. */
export function searchRange(name: unknown): { range?: RangeName } {
  const range = RANGES.find((one) => one === name);
  return range === undefined ? {} : { range };
}

/**
 * Returns the range that the chart of a monitor shows: the named one, otherwise a day, and less for a monitor that is
 * younger: its first minutes would be a scratch at the edge of an empty chart. Pure.
 */
export function rangeOf(name: unknown, ageMs: number): RangeName {
  const fitting = RANGES.find((one) => RANGES_MS[one] >= Math.min(ageMs, RANGES_MS['24h'])) ?? '24h';
  return searchRange(name).range ?? fitting;
}

/** A bucket or a check may be this much late. */
const LATE_SHARE = 1.5;

/**
 * Returns how far apart the points of one location are when nothing is missing, for `aligned`. Where a bucket has one
 * check or none, a check that is a little late leaves its bucket empty. Pure.
 */
export function pointDistanceMs(resolutionMs: number, intervalMs: number): number {
  if (resolutionMs >= 2 * intervalMs) return resolutionMs;
  return resolutionMs === 0 ? intervalMs : (intervalMs + LATE_SHARE * resolutionMs) / 1.75;
}
