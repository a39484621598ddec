import { createZone } from '../../../maintenance/schedule/zone.js';
import type { PeriodName } from '../documents.js';

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
const MONTHS_PER_QUARTER = 3;

/** Returns the first day of a period and the day after its last one, as midnights on the clock. `dayMs` is the day of the occurrence. */
const DAYS: Readonly<Record<PeriodName, (dayMs: number, day: Date) => [number, number]>> = {
  previous_week: (dayMs, day) => {
    // Monday is the first day of a week.
    const mondayMs = dayMs - ((day.getUTCDay() + WEEK_DAYS - 1) % WEEK_DAYS) * DAY_MS;
    return [mondayMs - WEEK_DAYS * DAY_MS, mondayMs];
  },
  previous_month: (_, day) => [firstOfMonth(day, -1), firstOfMonth(day, 0)],
  previous_quarter: (_, day) => {
    const into = day.getUTCMonth() % MONTHS_PER_QUARTER;
    return [firstOfMonth(day, -into - MONTHS_PER_QUARTER), firstOfMonth(day, -into)];
  },
  last_7_days: (dayMs) => [dayMs - WEEK_DAYS * DAY_MS, dayMs],
  last_30_days: (dayMs) => [dayMs - 30 * DAY_MS, dayMs],
};

/**
 * Returns the period of the report of an occurrence. It depends on the time of the occurrence alone, so that a report that is
 * made late has the same one. Days begin at midnight in the time zone. Pure.
 */
export function periodOf(name: PeriodName, occurrenceMs: number, timeZone: string) {
  const zone = createZone(timeZone);
  const localMs = zone.toLocal(occurrenceMs);
  const dayMs = localMs - (localMs % DAY_MS);
  const [fromMs, toMs] = DAYS[name](dayMs, new Date(dayMs));
  return { from_ms: zone.toInstant(fromMs), to_ms: zone.toInstant(toMs) };
}

function firstOfMonth(day: Date, monthsLater: number): number {
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + monthsLater, 1);
}
