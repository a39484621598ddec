import { createCronTimes } from '../../../maintenance/schedule/cron.js';

const DAY_MS = 86_400_000;
/** A year without a leap day, whose January has every day of a month. */
const YEAR = 2027;
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
/** All months have this day. */
const DAY_OF_ALL_MONTHS = 28;

/**
 * Returns a sentence for each of the days 29 to 31 that a valid cron expression names and that some of its months do not have. A
 * day field with `*` means every day, or every other one, so that nobody expects a certain one. Pure.
 */
export function monthDayWarnings(cron: string): string[] {
  const [, , dayField = '*', monthField = '*'] = cron.trim().split(/\s+/);
  const named = dayField.split(',').filter((term) => /^\d/.test(term) && !/^1-31$/.test(term));
  if (named.length === 0) return [];
  const days = datesOf(`0 0 ${named.join(',')} 1 *`).map((date) => date.getUTCDate());
  const months = datesOf(`0 0 1 ${monthField} *`).map((date) => date.getUTCMonth());
  return days.filter((day) => day > DAY_OF_ALL_MONTHS).flatMap((day) => warningOf(day, months));
}

function warningOf(day: number, months: readonly number[]): string[] {
  const without = months.filter((month) => new Date(Date.UTC(YEAR, month + 1, 0)).getUTCDate() < day);
  if (without.length === 0) return [];
  const which = without.map((month) => MONTHS[month]).join(', ');
  const unless = day === DAY_OF_ALL_MONTHS + 1 ? ' in most years' : '';
  return [
    `No report is made for day ${day} of ${which}: there is no ${ordinal(day)}${unless}. Use L instead of ${day} for the last day of each month.`,
  ];
}

function ordinal(day: number): string {
  return day === 31 ? '31st' : `${day}th`;
}

/** Returns the days of the year on which the expression has a time, as midnights in UTC. */
function datesOf(cron: string): Date[] {
  const fromMs = Date.UTC(YEAR, 0, 1);
  const times = createCronTimes(cron).after(fromMs - 1, Date.UTC(YEAR + 1, 0, 1) - DAY_MS);
  return [...times].map((atMs) => new Date(atMs));
}
