import { invalidField } from '../../../errors.js';

const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9})\d*)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

const TIMESTAMP_CHARS_MAX = 64;
const MINUTE_MS = 60_000;

/**
 * Returns an RFC 3339 timestamp in milliseconds since the epoch, with support for leap seconds and offsets; null for
 * other text.
 */
export function parseTimestamp(text: string): number | null {
  if (text.length > TIMESTAMP_CHARS_MAX) return null;
  const match = RFC3339.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [offsetHour, offsetMinute] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return null;
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return null;
  const fractionMs = Math.floor(Number(`0.${match[7] ?? '0'}`) * 1000);
  // setUTCFullYear, because Date.UTC reads the years 0 to 99 as 1900 to 1999.
  const atMs = new Date(0).setUTCFullYear(year, month - 1, day);
  const timeMs = ((hour * 60 + minute) * 60 + second) * 1000 + fractionMs;
  const offsetMs = (offsetHour * 60 + offsetMinute) * MINUTE_MS * (match[8] === '-' ? -1 : 1);
  return atMs + timeMs - offsetMs;
}

/** Returns the timestamp of a field in milliseconds since the epoch. Throws 422 with the path of the field for other text. */
export function timestampAt(text: string, path: string): number {
  const atMs = parseTimestamp(text);
  if (atMs === null) throw invalidField(path, 'must be an RFC 3339 timestamp', 'timestamp');
  return atMs;
}

function daysOf(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
