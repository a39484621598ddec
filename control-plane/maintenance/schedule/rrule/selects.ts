import type { LocalMs } from '../zone.js';
import { DAY_MS, type Day, dayOf } from './days.js';
import type { Rule } from './parse.js';

/** Returns the function that tells whether a day, counted since the Unix epoch, is one of a rule. Pure. */
export function createSelects(rule: Rule, startMs: LocalMs): (day: number) => boolean {
  const { months, monthDays, yearDays, days } = withDefaults(rule, startMs);
  // Of a year, unless the rule names months: then the first Monday is that of each of them.
  const countsInYear = rule.freq === 'YEARLY' && rule.months.length === 0;
  const isOneOf = (values: readonly number[], at: number, length: number) =>
    values.length === 0 || values.includes(at) || values.includes(at - length - 1);
  const isDay = (day: Day) =>
    days.length === 0 ||
    days.some((one) => {
      if (one.weekday !== day.weekday) return false;
      const [at, length] = countsInYear ? [day.yearDay, day.yearLength] : [day.monthDay, day.monthLength];
      return one.nth === null || one.nth === Math.ceil(at / 7) || one.nth === -Math.ceil((length - at + 1) / 7);
    });
  return (number) => {
    const day = dayOf(number);
    return (
      (months.length === 0 || months.includes(day.month)) &&
      isOneOf(monthDays, day.monthDay, day.monthLength) &&
      isOneOf(yearDays, day.yearDay, day.yearLength) &&
      isDay(day)
    );
  };
}

/** Returns the parts that name days. Where none does, DTSTART says which day it is. */
function withDefaults(rule: Rule, startMs: LocalMs): Pick<Rule, 'months' | 'monthDays' | 'yearDays' | 'days'> {
  const { freq, months, monthDays, yearDays, days } = rule;
  const parts = { months, monthDays, yearDays, days };
  if (freq === 'DAILY' || monthDays.length + yearDays.length + days.length > 0) return parts;
  const { month, monthDay, weekday } = dayOf(Math.floor(startMs / DAY_MS));
  if (freq === 'WEEKLY') return { ...parts, days: [{ weekday, nth: null }] };
  const isYearly = freq === 'YEARLY' && months.length === 0;
  return { ...parts, months: isYearly ? [month] : months, monthDays: [monthDay] };
}
