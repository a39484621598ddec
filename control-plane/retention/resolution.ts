import type { KeptMs } from './retention.js';

/** The resolutions of history, the finest first. */
export const RESOLUTIONS = ['raw', '1m', '5m', '1h'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** `auto` selects the finest resolution with at most this many points per series. */
const POINTS_MAX = 1_500;
/** A resolution that is requested by name may have this many points; more are refused. */
export const POINTS_NAMED_MAX = 50_000;

const BUCKETS_MS = { '1m': 60_000, '5m': 300_000, '1h': 3_600_000 } as const;

interface ResolutionInput {
  requested: Resolution | 'auto';
  fromMs: number;
  toMs: number;
  nowMs: number;
  /** Time between two raw points of the series with the most points. */
  rawPeriodMs: number;
  kept: KeptMs;
}

/** Returns the length of a bucket; null for raw, which has no buckets. */
export function bucketMs(resolution: Resolution): number | null {
  return resolution === 'raw' ? null : BUCKETS_MS[resolution];
}

/** Returns the resolution of the reply; null when the one that was requested by name has too many points. */
export function chooseResolution(input: ResolutionInput): Resolution | null {
  const { requested } = input;
  if (requested !== 'auto') return pointsOf(requested, input) <= POINTS_NAMED_MAX ? requested : null;
  const fitting = RESOLUTIONS.find(
    (resolution) => isKept(resolution, input) && pointsOf(resolution, input) <= POINTS_MAX,
  );
  // Two years have more than 1,500 hours, but there is no coarser resolution.
  return fitting ?? '1h';
}

/** Returns the number of points of a series without empty buckets. */
function pointsOf(resolution: Resolution, { fromMs, toMs, rawPeriodMs }: ResolutionInput): number {
  return (toMs - fromMs) / (bucketMs(resolution) ?? rawPeriodMs);
}

function isKept(resolution: Resolution, { fromMs, nowMs, kept }: ResolutionInput): boolean {
  const ageMs = nowMs - fromMs;
  if (resolution === 'raw') return ageMs <= kept.rawMs;
  return ageMs <= (resolution === '1h' ? kept.hoursMs : kept.minutesMs);
}
