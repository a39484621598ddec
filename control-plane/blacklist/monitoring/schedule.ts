import { createHash } from 'node:crypto';
import type { Frequency } from '../documents.js';

const HOUR_MS = 3_600_000;

const PERIOD_MS: Record<Frequency, number> = {
  hourly: HOUR_MS,
  daily: 24 * HOUR_MS,
  weekly: 7 * 24 * HOUR_MS,
};

/**
 * Returns the time of a monitor's next check: the first time after `nowMs` at the monitor's offset in the period. The
 * offset is a hash of its id, so that monitors created together are not checked together. Pure.
 */
export function nextCheckMs(monitorId: string, frequency: Frequency, nowMs: number): number {
  const periodMs = PERIOD_MS[frequency];
  const offsetMs = createHash('sha256').update(monitorId).digest().readUIntBE(0, 6) % periodMs;
  const periods = Math.floor((nowMs - offsetMs) / periodMs) + 1;
  return offsetMs + periods * periodMs;
}
