import type { CheckSums } from '../facts/facts.js';

/** Computes an uptime as the API does; implemented by the results slice. */
export type PercentUp = (time: { observed_ms: number; up_ms: number }) => number | null;

export function uptimeOf({ observedMs, upMs }: CheckSums, percentUp: PercentUp): number | null {
  return percentUp({ observed_ms: observedMs, up_ms: upMs });
}

/** Returns the mean response time of the successful checks in milliseconds; null without one. */
export function responseOf({ good, responseUs }: CheckSums): number | null {
  return good === 0 ? null : responseUs / good / 1_000;
}

/** Returns how much of the time was observed, maintenance included, in percent, rounded down to two places. */
export function coverageOf({ observedMs, leftOutMs }: CheckSums, lengthMs: number): number {
  return lengthMs <= 0 ? 0 : Math.min(100, Math.floor(((observedMs + leftOutMs) * 10_000) / lengthMs) / 100);
}
