import { currentLanguage, currentLocale } from './language.ts';

const LOCALE = currentLocale();
/** The smallest percentage that is shown. */
const SHOWN_MIN = 0.01;
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
const pluralRules = new Intl.PluralRules(LOCALE);

/** `10:21:07` in the time zone of the viewer, of something that has just happened. */
export const clockTime = (iso: string): string => clockFormat.format(new Date(iso));

/** The whole date with its time zone, and the same in UTC. */
export const exactTime = (iso: string): string =>
  `${fullFormat.format(new Date(iso))}\n${iso.slice(0, 19).replace('T', ' ')} UTC`;

/** `30 November 2026 at 10:21` */
export const longTime = (iso: string): string => longFormat.format(new Date(iso));

/** `10:21` of today, otherwise with the day. */
export const shortTime = (iso: string, nowMs: number): string => withDay(iso, nowMs, shortFormat);

/** `10:21:07` of today, otherwise with the day. */
export const secondTime = (iso: string, nowMs: number): string => withDay(iso, nowMs, clockFormat);

function withDay(iso: string, nowMs: number, format: Intl.DateTimeFormat): string {
  const at = new Date(iso);
  const time = format.format(at);
  return at.toDateString() === new Date(nowMs).toDateString() ? time : `${dayFormat.format(at)}, ${time}`;
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

/** `41 ms`, `1.2 s` */
export function milliseconds(value: number): string {
  if (value < 10) return `${oneDigitFormat.format(value)} ms`;
  if (value < SECOND_MS) return `${number(Math.round(value))} ms`;
  return `${oneDigitFormat.format(value / SECOND_MS)} s`;
}

const UNIT = {
  en: { day: 'd', hour: 'h', minute: 'min', second: 's' },
  de: { day: 'T.', hour: 'Std.', minute: 'Min.', second: 's' },
}[currentLanguage()];

/** `4 min`, `2 h 5 min`, `3 d`: the two largest units at most. */
export function duration(ms: number): string {
  const at = Math.max(0, ms);
  const two = (large: number, one: string, small: number, other: string) =>
    small === 0 ? `${large} ${one}` : `${large} ${one} ${small} ${other}`;
  if (at >= DAY_MS) return two(Math.floor(at / DAY_MS), UNIT.day, Math.floor((at % DAY_MS) / HOUR_MS), UNIT.hour);
  if (at >= HOUR_MS)
    return two(Math.floor(at / HOUR_MS), UNIT.hour, Math.floor((at % HOUR_MS) / MINUTE_MS), UNIT.minute);
  if (at >= MINUTE_MS) return `${Math.floor(at / MINUTE_MS)} ${UNIT.minute}`;
  return `${Math.floor(at / SECOND_MS)} ${UNIT.second}`;
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
