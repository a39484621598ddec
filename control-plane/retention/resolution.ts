import type { KeptMs } from './retention.js';

/** What history can be asked for, the finest first. */
export const RESOLUTIONS = ['raw', '1m', '5m', '1h'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** `auto` takes the finest resolution with at most this many points in a series. */
export const POINTS_MAX = 1_500;
/** A resolution asked for by name may give this many; more is refused. */
export const POINTS_NAMED_MAX = 50_000;

const BUCKETS_MS = { '1m': 60_000, '5m': 300_000, '1h': 3_600_000 } as const;

export interface ResolutionInput {
  requested: Resolution | 'auto';
  fromMs: number;
  toMs: number;
  nowMs: number;
  /** Time between two raw points of the fullest series. */
  rawPeriodMs: number;
  kept: KeptMs;
}

/** null for raw: its points are not buckets. */
export function bucketMs(resolution: Resolution): number | null {
  return resolution === 'raw' ? null : BUCKETS_MS[resolution];
}

/** The resolution to answer with; null when the one asked for by name would have too many points. */
export function chooseResolution(input: ResolutionInput): Resolution | null {
  const { requested } = input;
  if (requested !== 'auto') return pointsOf(requested, input) <= POINTS_NAMED_MAX ? requested : null;
  const fitting = RESOLUTIONS.find(
    (resolution) => isKept(resolution, input) && pointsOf(resolution, input) <= POINTS_MAX,
  );
  // Two years of hours are more than 1,500 points, but nothing coarser is kept.
  return fitting ?? '1h';
}

/** Points of a series if no bucket is empty. */
function pointsOf(resolution: Resolution, { fromMs, toMs, rawPeriodMs }: ResolutionInput): number {
  return (toMs - fromMs) / (bucketMs(resolution) ?? rawPeriodMs);
}

function isKept(resolution: Resolution, { fromMs, nowMs, kept }: ResolutionInput): boolean {
  const ageMs = nowMs - fromMs;
  if (resolution === 'raw') return ageMs <= kept.rawMs;
  return ageMs <= (resolution === '1h' ? kept.hoursMs : kept.minutesMs);
}
