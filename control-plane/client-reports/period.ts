import { invalidField } from '../errors.js';
import { timestampAt } from '../http/input/time/timestamp.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
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
 * Returns the period of a report, which defaults to the last 30 days. History is kept by the hour, so both ends are
 * rounded down to full hours, except for an end within the current hour. Throws 422.
 */
export function reportPeriod(
  period: { from: string; to: string } | undefined,
  nowMs: number,
  paths: PeriodPaths,
): Period {
  if (period === undefined) return { from_ms: floorToHour(nowMs - PERIOD_DAYS_DEFAULT * DAY_MS), to_ms: nowMs };
  const [fromMs, toMs] = [timestampAt(period.from, paths.from), timestampAt(period.to, paths.to)];
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

function floorToHour(atMs: number): number {
  return atMs - (atMs % HOUR_MS);
}
