import { createCronTimes } from '../../../maintenance/schedule/cron.js';
import { createZone } from '../../../maintenance/schedule/zone.js';

/** When a schedule makes reports: a cron expression on the clock of a time zone. */
export interface ScheduleTimes {
  cron: string;
  /** An IANA name. */
  time_zone: string;
}

const HOUR_MS = 3_600_000;
/** Clocks are set forward by an hour at most, so that a later time on the clock cannot be an earlier instant beyond this. */
const SHIFT_MS_MAX = 3 * HOUR_MS;
/** One a day, also on the day on which the clocks are set forward. */
const INTERVAL_MS_MIN = 23 * HOUR_MS;
/** The times of a day repeat on each day, so that two that are too close are among the first. */
const COMPARED = 40;

/**
 * Returns the occurrences later than `afterMs`, in order. A time that clocks skip is moved as far as they skip, and one that
 * occurs twice means the first one. Pure. Throws if the expression or the time zone is not valid.
 */
export function* occurrencesAfter({ cron, time_zone }: ScheduleTimes, afterMs: number): Generator<number> {
  const zone = createZone(time_zone);
  const times = createCronTimes(cron);
  let lastMs = afterMs;
  for (const localMs of times.after(zone.toLocal(afterMs) - SHIFT_MS_MAX, Number.POSITIVE_INFINITY)) {
    const atMs = zone.toInstant(localMs);
    if (atMs <= lastMs) continue;
    yield atMs;
    lastMs = atMs;
  }
}

/** Returns the first `max` occurrences later than `afterMs`. Pure. Throws like `occurrencesAfter`. */
export function nextOccurrences(times: ScheduleTimes, afterMs: number, max: number): number[] {
  const found: number[] = [];
  for (const atMs of occurrencesAfter(times, afterMs)) {
    found.push(atMs);
    if (found.length >= max) break;
  }
  return found;
}

/** Returns what is wrong with the cron expression; null if nothing is. The time zone must be valid. Pure. */
export function cronProblem(times: ScheduleTimes, nowMs: number): string | null {
  try {
    createCronTimes(times.cron);
  } catch {
    return 'must be a cron expression of five fields, such as 0 8 1 * *';
  }
  const next = nextOccurrences(times, nowMs, COMPARED);
  if (next.length === 0) return 'names no time that ever comes';
  const isTooOften = next.some((atMs, index) => index > 0 && atMs - (next[index - 1] ?? 0) < INTERVAL_MS_MIN);
  return isTooOften ? 'must name one time a day at most' : null;
}

/** The occurrences that are due: the latest, and how many came before it. */
export interface DueOccurrence {
  atMs: number;
  missed: number;
}

/**
 * Returns the latest occurrence from `fromMs` to `nowMs`, both included; null without one. Those before it were missed, because
 * Picket was down. Pure.
 */
export function dueOccurrence(times: ScheduleTimes, fromMs: number, nowMs: number): DueOccurrence | null {
  let due: DueOccurrence | null = null;
  for (const atMs of occurrencesAfter(times, fromMs - 1)) {
    if (atMs > nowMs) break;
    due = { atMs, missed: due === null ? 0 : due.missed + 1 };
  }
  return due;
}
