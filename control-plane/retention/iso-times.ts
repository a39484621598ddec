import { toIso } from '../../kernel/clock.js';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const TWO_DIGITS: readonly string[] = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/**
 * Returns `toIso` of each time; the times are in ascending order. A week has 10,000 minutes, and formatting each with
 * a Date took longer than reading them from the database, so only the hours are formatted with a Date.
 */
export function isoTimes(times: readonly number[]): string[] {
  let hourMs = Number.NaN;
  let hour = '';
  return times.map((time) => {
    const inHour = time % HOUR_MS;
    if (time - inHour !== hourMs) {
      hourMs = time - inHour;
      hour = toIso(hourMs).slice(0, 'YYYY-MM-DDTHH:'.length);
    }
    const inMinute = inHour % MINUTE_MS;
    const minute = hour + TWO_DIGITS[Math.floor(inHour / MINUTE_MS)];
    if (inMinute === 0) return `${minute}:00.000Z`;
    return `${minute}:${TWO_DIGITS[Math.floor(inMinute / 1_000)]}.${String(inMinute % 1_000).padStart(3, '0')}Z`;
  });
}
