const PAUSE_MS = { min: 5_000, max: 300_000 };
const PAUSES_PER_AGE = 10;

/**
 * Returns how long a run that cannot go on is left alone, in milliseconds: the longer, the longer it has waited since `sinceMs`.
 * Pure.
 */
export function pauseMs(sinceMs: number, nowMs: number): number {
  return Math.min(PAUSE_MS.max, Math.max(PAUSE_MS.min, (nowMs - sinceMs) / PAUSES_PER_AGE));
}
