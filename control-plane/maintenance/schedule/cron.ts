import { Cron } from 'croner';
import type { LocalMs } from './zone.js';

/** The times of a cron expression of five fields, on a clock that is never set forward or back. */
export interface CronTimes {
  /** Returns the first time after `localMs`; null without one. */
  next(localMs: LocalMs): LocalMs | null;
}

/** Throws an Error that says what is wrong with the expression. */
export function createCronTimes(expression: string): CronTimes {
  // The time zone is applied to its times later. With an offset, croner calculates without `Intl`, which takes far longer.
  const cron = new Cron(expression, { mode: '5-part', utcOffset: 0, paused: true });
  return { next: (localMs) => cron.nextRun(new Date(localMs))?.getTime() ?? null };
}
