import type { Clock } from './clock.js';

/** Resolves when the work has ended, or after `ms`. The work goes on then, so it must not reject. */
export async function waitAtMost(clock: Pick<Clock, 'sleep'>, ms: number, work: Promise<void>): Promise<void> {
  const ended = new AbortController();
  await Promise.race([work.finally(() => ended.abort()), clock.sleep(ms, ended.signal)]);
}
