export const DAY_MS = 86_400_000;

/** A day with what parts of a rule look at. Months and days count from 1. */
export interface Day {
  month: number;
  monthDay: number;
  monthLength: number;
  yearDay: number;
  yearLength: number;
  weekday: number;
}

/** Returns the day that is so many days after 1970-01-01. */
export function dayOf(number: number): Day {
  const date = new Date(number * DAY_MS);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const firstOfYear = Date.UTC(year, 0) / DAY_MS;
  return {
    month: month + 1,
    monthDay: date.getUTCDate(),
    monthLength: new Date(Date.UTC(year, month + 1, 0)).getUTCDate(),
    yearDay: number - firstOfYear + 1,
    yearLength: Date.UTC(year + 1, 0) / DAY_MS - firstOfYear,
    weekday: weekdayOf(number),
  };
}

/** 0 is Monday. */
export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}
