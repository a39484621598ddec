const HOUR_MS = 3_600_000;

/** The ranges of the charts of a monitor, in milliseconds. */
export const RANGES_MS = { '24h': 24 * HOUR_MS, '7d': 168 * HOUR_MS, '30d': 720 * HOUR_MS, '90d': 2_160 * HOUR_MS };
export type RangeName = keyof typeof RANGES_MS;
export const RANGES = Object.keys(RANGES_MS) as RangeName[];

/** Returns the range that a URL names; a day without one. Pure. */
export function rangeOf(name: unknown): RangeName {
  return RANGES.find((one) => one === name) ?? '24h';
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
