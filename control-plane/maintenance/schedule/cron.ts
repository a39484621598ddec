import { Cron } from 'croner';
import type { Times } from './times.js';

/** Returns the times of a cron expression of five fields. Throws an Error that says what is wrong with the expression. */
export function createCronTimes(expression: string): Times {
  // The day and the weekday must both fit: croner searches up to the year 3000 for them, for a second of the event loop.
  if (expression.includes('+')) throw new Error('has a “+”, which is not supported');
  // The time zone is applied to its times later. With an offset, croner calculates without `Intl`, which takes far longer.
  const cron = new Cron(expression, { mode: '5-part', utcOffset: 0, paused: true });
  const next = (localMs: number) => cron.nextRun(new Date(localMs))?.getTime() ?? null;
  return {
    *after(afterMs, untilMs) {
      for (let localMs = next(afterMs); localMs !== null && localMs <= untilMs; localMs = next(localMs)) yield localMs;
    },
  };
}
