import type { Times } from '../times.js';
import type { LocalMs } from '../zone.js';
import { DAY_MS, weekdayOf } from './days.js';
import type { Rule } from './parse.js';
import { createSelects } from './selects.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** No occurrence is looked for later than this: a rule such as 30 February names no time at all. */
const AHEAD_MS_MAX = 30 * 366 * DAY_MS;

/** The days of one interval of a rule: a day, a week, a month or a year. Numbers of days since the Unix epoch. */
interface Interval {
  fromDay: number;
  toDay: number;
}

/**
 * Returns the times of a rule, on a clock that is never set forward or back. `startMs` is DTSTART on that clock: it gives the
 * rule what it does not say, and no occurrence is earlier. A DTSTART that the rule does not name is no occurrence.
 */
export function createRuleTimes(rule: Rule, startMs: LocalMs): Times {
  const intervals = createIntervals(rule, startMs);
  const timesIn = createTimesIn(rule, startMs);

  /** The times later than `afterMs` up to `untilMs`, without the end that COUNT means. */
  function* endless(afterMs: LocalMs, untilMs: LocalMs): Generator<LocalMs> {
    const lastMs = Math.min(untilMs, Math.max(afterMs, startMs) + AHEAD_MS_MAX);
    for (let index = intervals.indexAt(Math.max(afterMs, startMs)); ; index++) {
      const interval = intervals.at(index);
      if (interval.fromDay * DAY_MS > lastMs) return;
      for (const timeMs of timesIn(interval)) if (timeMs > afterMs && timeMs <= lastMs) yield timeMs;
    }
  }

  return {
    *after(afterMs, untilMs) {
      if (rule.count === null) {
        yield* endless(afterMs, untilMs);
        return;
      }
      // Which ones are counted is known only from the first one on.
      let count = 0;
      for (const timeMs of endless(startMs - 1, untilMs)) {
        if (timeMs > afterMs) yield timeMs;
        if (++count >= rule.count) return;
      }
    },
  };
}

/** Numbers the intervals of a rule that can have an occurrence: 0 is that of DTSTART. */
function createIntervals({ freq, interval, weekStart }: Rule, startMs: LocalMs) {
  const startDay = Math.floor(startMs / DAY_MS);
  const firstMonth = monthOf(startMs);
  const weekOf = (day: number) => day - ((weekdayOf(day) - weekStart + 7) % 7);
  const ofDays = (firstDay: number, days: number) => ({
    indexAt: (ms: LocalMs) => Math.max(0, Math.floor((Math.floor(ms / DAY_MS) - firstDay) / (days * interval))),
    at(index: number): Interval {
      const fromDay = firstDay + index * days * interval;
      return { fromDay, toDay: fromDay + days };
    },
  });
  const ofMonths = (first: number, months: number) => ({
    indexAt(ms: LocalMs) {
      return Math.floor((monthOf(ms) - first) / (months * interval));
    },
    at(index: number): Interval {
      const month = first + index * months * interval;
      return { fromDay: firstDayOf(month), toDay: firstDayOf(month + months) };
    },
  });
  if (freq === 'DAILY') return ofDays(startDay, 1);
  if (freq === 'WEEKLY') return ofDays(weekOf(startDay), 7);
  return freq === 'MONTHLY' ? ofMonths(firstMonth, 1) : ofMonths(firstMonth - (firstMonth % 12), 12);
}

/** Counts months since the year 0. */
function monthOf(ms: LocalMs): number {
  const at = new Date(ms);
  return at.getUTCFullYear() * 12 + at.getUTCMonth();
}

function firstDayOf(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12) / DAY_MS;
}

/** Returns the function that lists the times of an interval, in order, that are not before DTSTART. */
function createTimesIn(rule: Rule, startMs: LocalMs) {
  const selects = createSelects(rule, startMs);
  const start = new Date(startMs);
  const hours = rule.hours.length > 0 ? rule.hours : [start.getUTCHours()];
  const minutes = rule.minutes.length > 0 ? rule.minutes : [start.getUTCMinutes()];
  const ofDay = hours.flatMap((hour) => minutes.map((minute) => hour * HOUR_MS + minute * MINUTE_MS));
  const secondsMs = startMs - Math.floor(startMs / MINUTE_MS) * MINUTE_MS;
  const startDay = Math.floor(startMs / DAY_MS);

  return ({ fromDay, toDay }: Interval): LocalMs[] => {
    const times: LocalMs[] = [];
    // The first week begins with DTSTART, also for BYSETPOS, as in dateutil.
    const firstDay = rule.freq === 'WEEKLY' ? Math.max(fromDay, startDay) : fromDay;
    for (let day = firstDay; day < toDay; day++) {
      if (selects(day)) for (const timeMs of ofDay) times.push(day * DAY_MS + timeMs + secondsMs);
    }
    return times.length === 0 ? times : positioned(times, rule.positions).filter((timeMs) => timeMs >= startMs);
  };
}

/** Returns those of the times that BYSETPOS names, in order. */
function positioned(times: LocalMs[], positions: readonly number[]): LocalMs[] {
  if (positions.length === 0) return times;
  const named = positions.map((position) => (position > 0 ? position - 1 : times.length + position));
  return times.filter((_, index) => named.includes(index));
}
