import type { PageLanguage } from '../words/languages.js';
import type { PageWords } from '../words/words.js';

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 1_440;

/** How a page writes times and numbers in its language and time zone. */
export interface Formats {
  time(atMs: number): string;
  /** Of a date such as `2026-01-31`. */
  date(date: string): string;
  /** With two decimals at most, rounded down, so that it is 100 only without any downtime. */
  percent(value: number): string;
  list(names: readonly string[]): string;
  duration(ms: number): string;
}

export function createFormats(language: PageLanguage, timeZone: string, words: PageWords): Formats {
  const locale = language === 'en' ? 'en-GB' : language;
  const time = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium', timeStyle: 'short' });
  const date = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', day: 'numeric', month: 'short' });
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  const list = new Intl.ListFormat(locale, { type: 'conjunction' });
  return {
    time: (atMs) => time.format(atMs),
    date: (text) => date.format(Date.parse(text)),
    percent: (value) => `${number.format(Math.floor(value * 100) / 100)}\u00a0%`,
    list: (names) => list.format(names),
    duration: (ms) => durationText(ms, words.duration),
  };
}

/** The two largest units. */
function durationText(ms: number, { minutes, hours, days }: PageWords['duration']): string {
  const all = Math.max(1, Math.round(ms / MINUTE_MS));
  const [inDay, inHour] = [all % DAY_MINUTES, all % HOUR_MINUTES];
  const parts = [
    ...(all >= DAY_MINUTES ? [days(Math.floor(all / DAY_MINUTES))] : []),
    ...(inDay >= HOUR_MINUTES ? [hours(Math.floor(inDay / HOUR_MINUTES))] : []),
    ...(inHour > 0 ? [minutes(inHour)] : []),
  ];
  return parts.slice(0, 2).join(' ');
}
