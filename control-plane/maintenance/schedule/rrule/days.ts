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

const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/** Days from 0000-03-01, where the years of this calculation begin, to 1970-01-01. */
const EPOCH_DAYS = 719_468;
const DAYS_OF_400_YEARS = 146_097;

/**
 * Returns the day that is so many days after 1970-01-01. Rules that name few days look at ten thousand of them, so it calculates
 * without `Date`, which takes twenty times as long: a year that begins in March has its leap day at the end (Hinnant, "chrono-Compatible
 * Low-Level Date Algorithms", civil_from_days).
 */
export function dayOf(number: number): Day {
  const shifted = number + EPOCH_DAYS;
  const era = Math.floor(shifted / DAYS_OF_400_YEARS);
  const dayOfEra = shifted - era * DAYS_OF_400_YEARS;
  const leapDays = Math.floor(dayOfEra / 1_460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayFromMarch = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayFromMarch + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const monthDay = dayFromMarch - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return {
    month,
    monthDay,
    monthLength: (MONTH_LENGTHS[month - 1] ?? 0) + (isLeap && month === 2 ? 1 : 0),
    yearDay: (DAYS_BEFORE_MONTH[month - 1] ?? 0) + monthDay + (isLeap && month > 2 ? 1 : 0),
    yearLength: isLeap ? 366 : 365,
    weekday: weekdayOf(number),
  };
}

/** 0 is Monday. */
export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}
