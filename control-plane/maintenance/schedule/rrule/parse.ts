/** A recurrence rule of RFC 5545, section 3.3.10. Empty lists: the part is not in the rule. */
export interface Rule {
  freq: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
  interval: number;
  /** How many occurrences there are; null without that end. */
  count: number | null;
  /** The last occurrence begins at this instant or earlier; null without that end. */
  untilMs: number | null;
  /** The first day of a week; 0 is Monday. */
  weekStart: number;
  months: number[];
  monthDays: number[];
  yearDays: number[];
  /** `nth` of the month or the year; null: every one. */
  days: { weekday: number; nth: number | null }[];
  hours: number[];
  minutes: number[];
  positions: number[];
}

export const RRULE_CHARS_MAX = 500;
const INTERVAL_MAX = 1_000;
export const COUNT_MAX = 1_000;
/** More often is a storm, and leaves nobody time to work. */
const BEGINS_A_DAY_MAX = 24;

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const PARTS = [
  ...['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'WKST', 'BYMONTH', 'BYMONTHDAY', 'BYYEARDAY', 'BYDAY', 'BYHOUR'],
  ...['BYMINUTE', 'BYSETPOS'],
];
const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
const UNTIL = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
const DAY = /^([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)$/;
const INTEGER = /^[+-]?\d{1,4}$/;

/** Why a rule is refused. The message completes a sentence about the rule: `must …`. */
export class RuleError extends Error {}

/** Returns the text of a rule as it is stored: without the name of the property, in capitals. */
export function normalRule(text: string): string {
  return text
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, '');
}

/** Throws a `RuleError` if the text is no rule, or one that Picket does not support. Pure. */
export function parseRule(text: string): Rule {
  const parts = partsOf(normalRule(text));
  const freq = FREQUENCIES.find((name) => name === parts.get('FREQ'));
  if (freq === undefined) throw new RuleError(`must have FREQ with one of ${FREQUENCIES.join(', ')}`);
  const numbers = (name: string, min: number, max: number) => integers(parts, name, min, max);
  const one = (name: string, max: number) => numbers(name, 1, max)[0] ?? null;
  const rule: Rule = {
    freq,
    interval: one('INTERVAL', INTERVAL_MAX) ?? 1,
    count: one('COUNT', COUNT_MAX),
    untilMs: untilOf(parts.get('UNTIL')),
    weekStart: weekStartOf(parts.get('WKST') ?? 'MO'),
    months: numbers('BYMONTH', 1, 12),
    days: daysOf(parts.get('BYDAY')),
    monthDays: numbers('BYMONTHDAY', -31, 31),
    yearDays: numbers('BYYEARDAY', -366, 366),
    hours: numbers('BYHOUR', 0, 23),
    minutes: numbers('BYMINUTE', 0, 59),
    positions: numbers('BYSETPOS', -366, 366),
  };
  refuseCombinations(rule);
  return rule;
}

function partsOf(text: string): Map<string, string> {
  const parts = new Map<string, string>();
  for (const part of text.split(';')) {
    const [name = '', value = '', ...rest] = part.split('=');
    if (value === '' || rest.length > 0) throw new RuleError('must be a list of NAME=VALUE, separated by semicolons');
    if (!PARTS.includes(name)) throw new RuleError(`must have only ${PARTS.join(', ')}; not ${name.slice(0, 20)}`);
    if (parts.has(name)) throw new RuleError(`must have ${name} once`);
    parts.set(name, value);
  }
  return parts;
}

/** Zero counts only where the least number is zero: no day of a month and no position is the zeroth. */
function integers(parts: ReadonlyMap<string, string>, name: string, min: number, max: number): number[] {
  const text = parts.get(name);
  if (text === undefined) return [];
  const isSingle = name === 'INTERVAL' || name === 'COUNT';
  const values = text.split(',').map((value) => (INTEGER.test(value) ? Number(value) : Number.NaN));
  const isValid = (value: number) => value >= min && value <= max && (value !== 0 || min === 0);
  if (!values.every(isValid) || (isSingle && values.length > 1)) {
    const range = min < 0 ? `1 to ${max}, or -1 to ${min}` : `${min} to ${max}`;
    throw new RuleError(`must have ${name} with ${isSingle ? 'a number' : 'numbers'} from ${range}`);
  }
  return [...new Set(values)].sort((a, b) => a - b);
}

function untilOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const [, year, month, day, hour, minute, second] = (UNTIL.exec(text) ?? []).map(Number);
  const atMs = Date.UTC(year ?? Number.NaN, (month ?? 0) - 1, day, hour, minute, second);
  if (new Date(Number.isNaN(atMs) ? 0 : atMs).toISOString().replace(/[-:]|\.000/g, '') !== text) {
    throw new RuleError('must have UNTIL with a time in UTC, such as 20271231T235959Z');
  }
  return atMs;
}

function weekStartOf(text: string): number {
  const day = WEEKDAYS.indexOf(text);
  if (day === -1) throw new RuleError(`must have WKST with one of ${WEEKDAYS.join(', ')}`);
  return day;
}

function daysOf(text: string | undefined): Rule['days'] {
  if (text === undefined) return [];
  return text.split(',').map((value) => {
    const [, nth, weekday = ''] = DAY.exec(value) ?? [];
    const number = nth === undefined ? null : Number(nth);
    if (weekday === '' || number === 0 || Math.abs(number ?? 1) > 53) {
      throw new RuleError('must have BYDAY with days such as MO, 1MO or -1FR');
    }
    return { weekday: WEEKDAYS.indexOf(weekday), nth: number };
  });
}

/** The RFC forbids the first ones; the last ones are limits of Picket. */
function refuseCombinations(rule: Rule): void {
  const { freq, count, untilMs, months, monthDays, yearDays, days, hours, minutes, positions } = rule;
  if (count !== null && untilMs !== null) throw new RuleError('must have COUNT or UNTIL, not both');
  if (monthDays.length > 0 && freq === 'WEEKLY') throw new RuleError('must not have BYMONTHDAY with FREQ=WEEKLY');
  if (yearDays.length > 0 && freq !== 'YEARLY') throw new RuleError('must have BYYEARDAY only with FREQ=YEARLY');
  if (days.some(({ nth }) => nth !== null) && freq !== 'MONTHLY' && freq !== 'YEARLY') {
    throw new RuleError('must have days such as 1MO only with FREQ=MONTHLY or FREQ=YEARLY');
  }
  const selects = [months, monthDays, yearDays, days, hours, minutes].some((list) => list.length > 0);
  if (positions.length > 0 && !selects) throw new RuleError('must have BYSETPOS only beside another BY part');
  if (Math.max(1, hours.length) * Math.max(1, minutes.length) > BEGINS_A_DAY_MAX) {
    throw new RuleError(`must begin at most ${BEGINS_A_DAY_MAX} times a day`);
  }
}
