/** When a schedule makes reports, as the form has it: a choice of days, or a cron expression. */
export interface WhenInput {
  kind: 'month' | 'week' | 'cron';
  /** `1` to `31`, or `L` for the last day. */
  day: string;
  /** `MON` to `SUN`. */
  weekday: string;
  /** `08:00` */
  time: string;
  cron: string;
}

export const WEEKDAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'];
/** In cron, 0 and 7 are Sunday. */
const BY_NUMBER = ['SUN', ...WEEKDAYS];
const LAST_DAY = 'L';
const DAYS_MAX = 31;
export const DAYS: readonly string[] = [...Array.from({ length: DAYS_MAX }, (_, index) => String(index + 1)), LAST_DAY];

const MONTHLY = /^(\d{1,2}) (\d{1,2}) ([1-9]|[12]\d|3[01]|L) \* \*$/;
const WEEKLY = /^(\d{1,2}) (\d{1,2}) \* \* ([A-Z]{3}|[0-7])$/;

/** The first day of each month at 08:00. */
const FIRST: WhenInput = { kind: 'month', day: '1', weekday: 'MON', time: '08:00', cron: '0 8 1 * *' };

/** Returns what a cron expression means for the form: a choice of days if there is one for it. Pure. */
export function whenOf(cron: string): WhenInput {
  const text = cron.trim().replace(/\s+/g, ' ').toUpperCase();
  const [, minute = '', hour = '', day] = MONTHLY.exec(text) ?? [];
  if (day !== undefined) return { ...FIRST, day, time: timeOf(hour, minute), cron };
  const [, weeklyMinute = '', weeklyHour = '', named] = WEEKLY.exec(text) ?? [];
  const weekday = named === undefined ? undefined : (BY_NUMBER[Number(named)] ?? named);
  if (weekday === undefined || !WEEKDAYS.includes(weekday)) return { ...FIRST, kind: 'cron', cron };
  return { ...FIRST, kind: 'week', weekday, time: timeOf(weeklyHour, weeklyMinute), cron };
}

/** Returns the cron expression of a choice. A time that is missing makes one that the API refuses. Pure. */
export function cronOf({ kind, day, weekday, time, cron }: WhenInput): string {
  if (kind === 'cron') return cron.trim();
  const [hour = NaN, minute = NaN] = time === '' ? [] : time.split(':').map(Number);
  return kind === 'month' ? `${minute} ${hour} ${day} * *` : `${minute} ${hour} * * ${weekday}`;
}

const timeOf = (hour: string, minute: string): string => `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
