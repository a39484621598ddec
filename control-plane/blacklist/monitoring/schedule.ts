import { createHash } from 'node:crypto';
import type { Frequency } from '../documents.js';

const HOUR_MS = 3_600_000;

const PERIOD_MS: Record<Frequency, number> = {
  hourly: HOUR_MS,
  daily: 24 * HOUR_MS,
  weekly: 7 * 24 * HOUR_MS,
};

/**
 * When a monitor is checked next: at its own moment of the period, the first after `nowMs`. The moment comes from a
 * hash of its id, so monitors that are made together are not looked up together. Pure.
 */
export function nextCheckMs(monitorId: string, frequency: Frequency, nowMs: number): number {
  const periodMs = PERIOD_MS[frequency];
  const phaseMs = createHash('sha256').update(monitorId).digest().readUIntBE(0, 6) % periodMs;
  const periods = Math.floor((nowMs - phaseMs) / periodMs) + 1;
  return phaseMs + periods * periodMs;
}
