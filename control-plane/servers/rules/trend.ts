import type { MetricPoint } from '../servers.js';

/** What the last hours say of how full a disk becomes. */
export interface Trend {
  /** Percent now. */
  percent: number;
  /** It grows steadily, by so many points an hour; null when it does not. */
  growth: { pointsPerHour: number; hoursLeft: number } | null;
  /** It is full, and was not when the hours began: mounts that are always full are none of our business. */
  isFull: boolean;
  observedHours: number;
  /** Five-minute averages that it stands on. */
  bins: MetricPoint[];
}

export const TREND_WINDOW_MS = 6 * 3_600_000;
const BIN_MS = 300_000;
const HOUR_MS = 3_600_000;
/** Less of the past than this says nothing. */
const OBSERVED_MS_MIN = 3 * HOUR_MS;
const SHARE_OF_BINS_MIN = 2 / 3;
/** Percent from which on a disk counts as full. */
const FULL_PERCENT = 99;
/** A disk that became full must have been emptier by so many points. */
const FILLED_POINTS_MIN = 1;
/** Bins whose median is the level at an end of the window. */
const END_BINS = 3;
/** Each half, and the last hour, must rise by this share of the whole rate: a jump does not, nor what has ended. */
const STEADY_SHARE = 0.25;
/** Falls in between may undo so much of what is gained: beyond, it is noise, or something keeps cleaning up. */
const FALL_SHARE_MAX = 0.5;

/** null when too little is known. Pure. `minutes`: averages of minutes over the window, oldest first. */
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

/** What a trend is to a rule. `holds`: it does not fire, but what fired goes on. Pure. */
export function judgeTrend(trend: Trend, withinHours: number): 'fires' | 'holds' | 'clear' {
  if (trend.isFull) return 'fires';
  if (trend.growth !== null && trend.growth.hoursLeft <= withinHours) return 'fires';
  const isNear = trend.growth !== null && trend.growth.hoursLeft <= withinHours * 1.25;
  return isNear || trend.percent >= FULL_PERCENT ? 'holds' : 'clear';
}

/**
 * Points an hour, of growth that one can count on; null for anything else. The median of all slopes between two bins
 * (Theil and Sen) does not follow outliers; what a sawtooth, a jump or an ending copy do to it, the other conditions
 * refuse.
 */
function steadyRate(bins: readonly MetricPoint[], gained: number): number | null {
  const rate = medianSlope(bins);
  if (rate <= 0 || largestFall(bins) > gained * FALL_SHARE_MAX) return null;
  const middle = Math.floor(bins.length / 2);
  const halves = [bins.slice(0, middle), bins.slice(middle)];
  if (halves.some((half) => medianSlope(half) < rate * STEADY_SHARE)) return null;
  return lastHour(bins) < rate * STEADY_SHARE ? null : rate;
}

/** Points by which the level rose in the last hour. */
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

/** From the highest level so far down to a later one. */
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

/** 0 of nothing. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
