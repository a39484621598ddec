import { createZone, type Zone } from '../../maintenance/schedule/zone.js';
import type { JobSettings } from '../documents.js';
import { type CronFields, readCron } from './cron.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Clocks are set forward by an hour at most, so that a later time on the clock cannot be an earlier instant beyond this. */
const SHIFT_MS_MAX = 3 * 60 * MINUTE_MS;
/** Nine years: 29 February can be eight years away, around 2100. */
const DAYS_MAX = 9 * 366;

/**
 * Returns the first beginning later than `afterMs` as an instant; null when there is none. A beginning that clocks skip is
 * as much later as they skip, and one that occurs twice is the first one. Pure. Throws for a schedule that is not valid.
 */
export function nextBeginning({ cron, time_zone }: JobSettings['schedule'], afterMs: number): number | null {
  const fields = readCron(cron);
  if (fields === null) throw new Error(`${cron} is not a cron expression of five fields`);
  return nextIn(fields, createZone(time_zone), afterMs);
}

/**
 * Returns by how much clocks were set forward over a beginning, so that it is later than the schedule says; 0 for any other.
 * Pure.
 */
export function skippedMs({ cron, time_zone }: JobSettings['schedule'], beginningMs: number): number {
  const fields = readCron(cron);
  const zone = createZone(time_zone);
  const offset = (instantMs: number) => zone.toLocal(instantMs) - instantMs;
  const skipMs = offset(beginningMs) - offset(beginningMs - SHIFT_MS_MAX);
  if (fields === null || skipMs <= 0) return 0;
  const localMs = zone.toLocal(beginningMs);
  if (hasTime(fields, localMs) || !hasTime(fields, localMs - skipMs)) return 0;
  return zone.toInstant(localMs - skipMs) === beginningMs ? skipMs : 0;
}

function hasTime(fields: CronFields, localMs: number): boolean {
  const time = new Date(localMs);
  return fields.minutes.has(time.getUTCMinutes()) && fields.hours.has(time.getUTCHours()) && hasDay(fields, time);
}

function nextIn(fields: CronFields, zone: Zone, afterMs: number): number | null {
  let found: number | null = null;
  let enoughMs = Number.POSITIVE_INFINITY;
  for (const localMs of localTimes(fields, zone.toLocal(afterMs) - SHIFT_MS_MAX)) {
    // Where clocks change, a later time on the clock can be the earlier instant.
    if (localMs > enoughMs) break;
    const instantMs = zone.toInstant(localMs);
    if (instantMs <= afterMs || (found !== null && found <= instantMs)) continue;
    if (found === null) enoughMs = localMs + SHIFT_MS_MAX;
    found = instantMs;
  }
  return found;
}

/** Returns the times of the expression from `fromMs` on, on a clock that is never set forward or back. */
function* localTimes(fields: CronFields, fromMs: number): Iterable<number> {
  const minutes = [...fields.minutes].sort(ascending);
  const hours = [...fields.hours].sort(ascending);
  const firstDayMs = fromMs - (fromMs % DAY_MS);
  for (let day = 0; day <= DAYS_MAX; day++) {
    const dayMs = firstDayMs + day * DAY_MS;
    if (!hasDay(fields, new Date(dayMs))) continue;
    for (const hour of hours) {
      for (const minute of minutes) {
        const atMs = dayMs + (hour * 60 + minute) * MINUTE_MS;
        if (atMs >= fromMs) yield atMs;
      }
    }
  }
}

/** Where both kinds of days are limited, either is enough, otherwise both are necessary, as in Vixie cron and cronie. */
function hasDay({ days, months, weekdays, limits }: CronFields, day: Date): boolean {
  if (!months.has(day.getUTCMonth() + 1)) return false;
  const [isDay, isWeekday] = [days.has(day.getUTCDate()), weekdays.has(day.getUTCDay())];
  return limits.days && limits.weekdays ? isDay || isWeekday : isDay && isWeekday;
}

function ascending(a: number, b: number): number {
  return a - b;
}
