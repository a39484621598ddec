import type { MonitorHour } from '../../results/results.js';
import type { CheckSums } from './facts.js';

export function noChecks(): CheckSums {
  return { observedMs: 0, upMs: 0, leftOutMs: 0, good: 0, failed: 0, responseUs: 0 };
}

export function addChecks(sums: CheckSums, more: CheckSums | MonitorHour): void {
  sums.observedMs += more.observedMs;
  sums.upMs += more.upMs;
  sums.leftOutMs += more.leftOutMs;
  sums.good += more.good;
  sums.failed += more.failed;
  sums.responseUs += more.responseUs;
}

export function downtimeOf({ observedMs, upMs }: CheckSums): number {
  return Math.max(0, observedMs - upMs);
}
