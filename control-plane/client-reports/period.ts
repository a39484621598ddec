import { invalidField } from '../errors.js';
import { parseTimestamp } from '../http/input/time/timestamp.js';
import { createZone, type Zone } from '../maintenance/schedule/zone.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
export const PERIOD_DAYS_DEFAULT = 30;
export const PERIOD_DAYS_MAX = 366;

interface Period {
  from_ms: number;
  to_ms: number;
}

/** Where the fields of a period are in a request, for its errors. */
export interface PeriodPaths {
  from: string;
  to: string;
  whole: string;
  timeZone: string;
}
export const BODY_PATHS: PeriodPaths = {
  from: '/period/from',
  to: '/period/to',
  whole: '/period',
  timeZone: '/time_zone',
};
export const QUERY_PATHS: PeriodPaths = {
  from: '/query/from',
  to: '/query/to',
  whole: '/query/to',
  timeZone: '/query/time_zone',
};

/**
 * Returns the period of a report, which defaults to the last 30 days. Its ends are timestamps or days in the time zone, of which
 * the last one is part of it. History is kept by the hour, so both ends are rounded down to full hours, except for an end
 * within the current hour. Throws 422.
 */
export function reportPeriod(
  period: { from: string; to: string } | undefined,
  { nowMs, timeZone }: { nowMs: number; timeZone: string },
  paths: PeriodPaths,
): Period {
  if (period === undefined) return { from_ms: floorToHour(nowMs - PERIOD_DAYS_DEFAULT * DAY_MS), to_ms: nowMs };
  const zone = createZone(timeZone);
  const fromMs = timeAt(period.from, { zone, path: paths.from, dayAfter: 0 });
  const toMs = timeAt(period.to, { zone, path: paths.to, dayAfter: 1 });
  if (fromMs > toMs) throw invalidField(paths.from, 'must not be after to', 'order');
  if (fromMs >= nowMs) throw invalidField(paths.from, 'must be in the past', 'past');
  const endMs = Math.min(toMs, nowMs);
  const from_ms = floorToHour(fromMs);
  const to_ms = endMs >= floorToHour(nowMs) ? endMs : floorToHour(endMs);
  if (to_ms - from_ms < HOUR_MS) throw invalidField(paths.whole, 'must have at least one full hour');
  if (to_ms - from_ms > PERIOD_DAYS_MAX * DAY_MS)
    throw invalidField(paths.whole, `must have at most ${PERIOD_DAYS_MAX} days`);
  return { from_ms, to_ms };
}

/** Returns a timestamp; of a day, its beginning or that of the day after. Throws 422. */
function timeAt(text: string, { zone, path, dayAfter }: { zone: Zone; path: string; dayAfter: 0 | 1 }): number {
  const isDay = DAY.test(text);
  const atMs = parseTimestamp(isDay ? `${text}T00:00:00Z` : text);
  if (atMs === null)
    throw invalidField(path, 'must be an RFC 3339 timestamp, or a day such as 2026-01-31', 'timestamp');
  return isDay ? zone.toInstant(atMs + dayAfter * DAY_MS) : atMs;
}

function floorToHour(atMs: number): number {
  return atMs - (atMs % HOUR_MS);
}
