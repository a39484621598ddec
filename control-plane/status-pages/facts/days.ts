import { DAYS_SHOWN, type PageDays } from './facts.js';

const HOUR_MS = 3_600_000;
/** Days with 25 hours are longer than others. */
const HOURS_MAX = (DAYS_SHOWN + 1) * 25;

/**
 * Returns the last days in a time zone, today at the end. History is kept by the hour (UTC), so a day begins with the first full
 * hour in it.
 */
export function pageDays(nowMs: number, timeZone: string): PageDays {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const startsMs: number[] = [];
  const dates: string[] = [];
  let hourMs = nowMs - (nowMs % HOUR_MS);
  let date = format.format(hourMs);
  for (let hours = 0; hours < HOURS_MAX && startsMs.length < DAYS_SHOWN; hours++) {
    const before = format.format(hourMs - HOUR_MS);
    if (before !== date) {
      startsMs.unshift(hourMs);
      dates.unshift(date);
    }
    date = before;
    hourMs -= HOUR_MS;
  }
  return { startsMs, dates };
}

/** Time zones of pages that are in use. The days of each are computed once an hour. */
const ZONES_MAX = 500;

/** Returns `pageDays` that remembers the days of this hour. */
export function createPageDays(): typeof pageDays {
  const known = new Map<string, { hour: number; days: PageDays }>();
  return (nowMs, timeZone) => {
    const hour = Math.floor(nowMs / HOUR_MS);
    const found = known.get(timeZone);
    if (found?.hour === hour) return found.days;
    const days = pageDays(nowMs, timeZone);
    known.delete(timeZone);
    if (known.size >= ZONES_MAX) known.delete(known.keys().next().value ?? '');
    known.set(timeZone, { hour, days });
    return days;
  };
}
