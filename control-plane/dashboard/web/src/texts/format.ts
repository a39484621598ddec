import { currentLanguage, currentLocale } from './language.ts';

const LOCALE = currentLocale();
/** The smallest percentage that is shown. */
const SHOWN_MIN = 0.01;
/** Less than this percentage of a time is said as a time of its own. */
const OBSERVED_HOURS_MIN = 2;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

const clockFormat = new Intl.DateTimeFormat(LOCALE, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const shortFormat = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const dayFormat = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' });
const yearFormat = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', year: 'numeric' });
const fullFormat = new Intl.DateTimeFormat(LOCALE, {
  ...{ dateStyle: 'full', timeStyle: 'long' },
});
const longFormat = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeStyle: 'short' });
const numberFormat = new Intl.NumberFormat(LOCALE);
const oneDigitFormat = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 });
const twoDigitsFormat = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
/** The words before a day and before a time. */
const AT = { en: { on: 'on', at: 'at' }, de: { on: 'am', at: 'um' } }[currentLanguage()];
const pluralRules = new Intl.PluralRules(LOCALE);

/** The whole date with its time zone, and the same in UTC. */
export const exactTime = (iso: string): string =>
  `${fullFormat.format(new Date(iso))}\n${iso.slice(0, 19).replace('T', ' ')} UTC`;

/** `30 November 2026 at 10:21` */
export const longTime = (iso: string): string => longFormat.format(new Date(iso));

/** `10:21` of today in the time zone of the viewer, otherwise with the day, and with the year unless it is this one. */
export const shortTime = (iso: string, nowMs: number): string => withDay(iso, nowMs, shortFormat);

/** As `shortTime`, to the second: `10:21:07`. */
export const secondTime = (iso: string, nowMs: number): string => withDay(iso, nowMs, clockFormat);

/** `at 10:21` of today, otherwise `on 22 Nov at 10:21`, as a sentence needs it. */
export const atTime = (iso: string, nowMs: number): string => withDayAt(iso, nowMs, shortFormat);

/** As `atTime`, to the second. */
export const atSecond = (iso: string, nowMs: number): string => withDayAt(iso, nowMs, clockFormat);

function withDayAt(iso: string, nowMs: number, format: Intl.DateTimeFormat): string {
  const at = new Date(iso);
  const now = new Date(nowMs);
  const time = `${AT.at} ${format.format(at)}`;
  if (at.toDateString() === now.toDateString()) return time;
  const day = at.getFullYear() === now.getFullYear() ? dayFormat : yearFormat;
  return `${AT.on} ${day.format(at)} ${time}`;
}

function withDay(iso: string, nowMs: number, format: Intl.DateTimeFormat): string {
  const at = new Date(iso);
  const now = new Date(nowMs);
  const time = format.format(at);
  if (at.toDateString() === now.toDateString()) return time;
  const day = at.getFullYear() === now.getFullYear() ? dayFormat : yearFormat;
  return `${day.format(at)}, ${time}`;
}

/** `31 Jan 2027`: a day that may be in another year. */
export const longDay = (iso: string): string => yearFormat.format(new Date(iso));

export const number = (value: number): string => numberFormat.format(value);

/** `99.98 %`, without rounding an outage away: only a flawless value shows as 100 %. */
export function percent(value: number): string {
  if (value > 0 && value < SHOWN_MIN) return `< ${percent(SHOWN_MIN)}`;
  const shown = value < 100 ? Math.min(value, 99.99) : value;
  const format = shown === 100 || shown === 0 ? numberFormat : twoDigitsFormat;
  return `${format.format(shown)} %`;
}

/**
 * `98 %` of a window that was observed; in the first two hours, how long that was, `5 min`: the same in windows of every
 * length.
 */
export function observed(coverage: number, windowHours: number): string {
  const hours = (coverage / 100) * windowHours;
  return hours >= OBSERVED_HOURS_MIN || hours === 0 ? percent(coverage) : duration(hours * HOUR_MS);
}

/** As `milliseconds`, of something that took time: what is rounded to nothing is `< 1 ms`. */
export const responseTime = (value: number): string => (value === 0 ? `< ${milliseconds(1)}` : milliseconds(value));

/** `41 ms`, `1.2 s` */
export function milliseconds(value: number): string {
  if (value < 10) return `${oneDigitFormat.format(value)} ms`;
  if (value < SECOND_MS) return `${number(Math.round(value))} ms`;
  return `${oneDigitFormat.format(value / SECOND_MS)} s`;
}

const UNIT = {
  en: { day: 'd', days: 'd', hour: 'h', minute: 'min', second: 's' },
  de: { day: 'Tag', days: 'Tage', hour: 'Std.', minute: 'Min.', second: 's' },
}[currentLanguage()];

/** `4 min`, `2 h 5 min`, `3 d`: the two largest units at most. */
export function duration(ms: number): string {
  const at = Math.max(0, ms);
  const two = (large: number, one: string, small: number, other: string) =>
    small === 0 ? `${large} ${one}` : `${large} ${one} ${small} ${other}`;
  const days = Math.floor(at / DAY_MS);
  if (days > 0) return two(days, days === 1 ? UNIT.day : UNIT.days, Math.floor((at % DAY_MS) / HOUR_MS), UNIT.hour);
  if (at >= HOUR_MS)
    return two(Math.floor(at / HOUR_MS), UNIT.hour, Math.floor((at % HOUR_MS) / MINUTE_MS), UNIT.minute);
  if (at >= MINUTE_MS) return `${Math.floor(at / MINUTE_MS)} ${UNIT.minute}`;
  return `${Math.floor(at / SECOND_MS)} ${UNIT.second}`;
}

/** As `duration`, of what is over: `1 min 56 s`. It does not tick, so it has its seconds. */
function lastedFor(ms: number): string {
  const seconds = Math.floor((ms % MINUTE_MS) / SECOND_MS);
  return ms < MINUTE_MS || ms >= HOUR_MS || seconds === 0 ? duration(ms) : `${duration(ms)} ${seconds} ${UNIT.second}`;
}

const SIZE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** `734 MB`: decimal units, as the API says sizes of backups in its messages, with one decimal below 100. */
export function fileSize(bytes: number): string {
  let [value, unit] = [bytes, 0];
  for (; value >= 999.5 && unit < SIZE_UNITS.length - 1; unit++) value /= 1_000;
  return `${value >= 99.95 ? number(Math.round(value)) : oneDigitFormat.format(value)} ${SIZE_UNITS[unit]}`;
}

/** Returns how long it was between two times as the page shows them, to the second: from 12:15:47 to 12:15:53 it is `6 s`. */
export function between(from: string, to: string): string {
  const second = (iso: string) => Math.floor(Date.parse(iso) / SECOND_MS) * SECOND_MS;
  return lastedFor(second(to) - second(from));
}

/** `Up`: the first letter of a label. */
export const capital = (text: string): string => text.charAt(0).toLocaleUpperCase(LOCALE) + text.slice(1);

/** Returns the form of a word for a number, by the plural rules of the language. */
export function plural(count: number, forms: { one: string; other: string }): string {
  return `${number(count)} ${pluralRules.select(count) === 'one' ? forms.one : forms.other}`;
}

/** `fra, nyc and sin` */
export function list(items: readonly string[]): string {
  return new Intl.ListFormat(LOCALE, { type: 'conjunction' }).format(items);
}
