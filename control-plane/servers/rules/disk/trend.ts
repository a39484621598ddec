import type { MetricPoint } from '../../servers.js';

/** How full a disk is, and how it has filled up in the last hours. */
export interface Trend {
  /** The used share of the disk now. */
  percent: number;
  /** Steady growth in percentage points per hour; null without steady growth. */
  growth: { pointsPerHour: number; hoursLeft: number } | null;
  /** Whether it has become full in these hours. A mount that is always full, such as a read-only image, is not meant. */
  isFull: boolean;
  observedHours: number;
  /** The five-minute averages that the trend was computed from. */
  bins: MetricPoint[];
}

export const TREND_WINDOW_MS = 6 * 3_600_000;
const BIN_MS = 300_000;
const HOUR_MS = 3_600_000;
/** A trend needs samples of at least this time. */
const OBSERVED_MS_MIN = 3 * HOUR_MS;
const SHARE_OF_BINS_MIN = 2 / 3;
/** A disk counts as full from this percentage. */
const FULL_PERCENT = 99;
/** A disk that became full was emptier by at least this many percentage points. */
const FILLED_POINTS_MIN = 1;
/** The level at an end of the window is the median of this many bins. */
const END_BINS = 3;
/** Each half and the last hour must rise by this share of the whole rate. This excludes jumps, and growth that has ended. */
const STEADY_SHARE = 0.25;
/** A fall may undo at most this share of the growth. Larger falls mean noise, or a task that deletes files. */
const FALL_SHARE_MAX = 0.5;

/** Returns null with too few samples. `minutes` are the minute averages of the window, oldest first. */
export function trendOf(minutes: readonly MetricPoint[]): Trend | null {
  const bins = fiveMinutes(minutes);
  const [first, last] = [bins[0], bins.at(-1)];
  if (first === undefined || last === undefined) return null;
  const observedMs = last.atMs - first.atMs + BIN_MS;
  if (observedMs < OBSERVED_MS_MIN || bins.length < (observedMs / BIN_MS) * SHARE_OF_BINS_MIN) return null;
  const percent = level(bins.slice(-END_BINS));
  const before = level(bins.slice(0, END_BINS));
  const isFull = percent >= FULL_PERCENT && percent - before >= FILLED_POINTS_MIN;
  const rate = steadyRate(bins, percent - before);
  const growth = rate === null ? null : { pointsPerHour: rate, hoursLeft: Math.max(0, 100 - percent) / rate };
  return { percent, growth, isFull, observedHours: observedMs / HOUR_MS, bins };
}

/** Evaluates a rule. `keeps`: the rule does not fire, but an open incident stays open. */
export function evaluateTrend(trend: Trend, withinHours: number): 'fires' | 'keeps' | 'clear' {
  if (trend.isFull) return 'fires';
  if (trend.growth !== null && trend.growth.hoursLeft <= withinHours) return 'fires';
  const isNear = trend.growth !== null && trend.growth.hoursLeft <= withinHours * 1.25;
  return isNear || trend.percent >= FULL_PERCENT ? 'keeps' : 'clear';
}

/**
 * Returns the rate of steady growth in percentage points per hour; null for any other course. The median of all slopes
 * between two bins (Theil–Sen estimator) ignores outliers; the other conditions exclude sawtooth patterns, jumps and
 * copies that end.
 */
function steadyRate(bins: readonly MetricPoint[], gained: number): number | null {
  const rate = medianSlope(bins);
  if (rate <= 0 || largestFall(bins) > gained * FALL_SHARE_MAX) return null;
  const middle = Math.floor(bins.length / 2);
  const halves = [bins.slice(0, middle), bins.slice(middle)];
  if (halves.some((half) => medianSlope(half) < rate * STEADY_SHARE)) return null;
  return lastHour(bins) < rate * STEADY_SHARE ? null : rate;
}

/** Returns the rise in the last hour, in percentage points. */
function lastHour(bins: readonly MetricPoint[]): number {
  const end = bins.at(-1)?.atMs ?? 0;
  const then = bins.filter(({ atMs }) => atMs <= end - HOUR_MS).slice(-END_BINS);
  return level(bins.slice(-END_BINS)) - level(then);
}

function medianSlope(bins: readonly MetricPoint[]): number {
  const slopes: number[] = [];
  for (const [index, from] of bins.entries()) {
    for (const to of bins.slice(index + 1)) {
      slopes.push(((to.value - from.value) / (to.atMs - from.atMs)) * HOUR_MS);
    }
  }
  return median(slopes);
}

/** Returns the largest fall from a level to a later one. */
function largestFall(bins: readonly MetricPoint[]): number {
  let highest = Number.NEGATIVE_INFINITY;
  let fall = 0;
  for (let index = 0; index + END_BINS <= bins.length; index++) {
    const here = level(bins.slice(index, index + END_BINS));
    highest = Math.max(highest, here);
    fall = Math.max(fall, highest - here);
  }
  return fall;
}

function fiveMinutes(minutes: readonly MetricPoint[]): MetricPoint[] {
  const sums = new Map<number, { sum: number; count: number }>();
  const originMs = minutes[0]?.atMs ?? 0;
  for (const { atMs, value } of minutes) {
    const startMs = originMs + Math.floor((atMs - originMs) / BIN_MS) * BIN_MS;
    const bin = sums.get(startMs) ?? { sum: 0, count: 0 };
    sums.set(startMs, { sum: bin.sum + value, count: bin.count + 1 });
  }
  return [...sums].map(([atMs, { sum, count }]) => ({ atMs, value: sum / count })).sort((a, b) => a.atMs - b.atMs);
}

function level(bins: readonly MetricPoint[]): number {
  return median(bins.map(({ value }) => value));
}

/** Returns 0 without values. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
