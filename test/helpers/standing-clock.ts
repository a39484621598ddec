import { systemClock } from '../../kernel/clock.js';
import { type TestClock, testClock } from './clock.js';

/**
 * The clock of code that uses real sockets. Its timers and durations stand still until the test moves them, so that no limit
 * passes on a slow machine. Its wall time is the real one, because the certificates of targets are issued by it.
 */
export interface StandingClock extends TestClock {
  /** The delays of all timers so far. */
  delays: number[];
  /** How often a time was measured. */
  readings(): number;
}

export function standingClock(): StandingClock {
  const clock = testClock();
  const delays: number[] = [];
  let readings = 0;
  return {
    ...clock,
    delays,
    readings: () => readings,
    now: systemClock.now,
    monotonic() {
      readings += 1;
      return clock.monotonic();
    },
    after(delayMs, run) {
      delays.push(delayMs);
      return clock.after(delayMs, run);
    },
  };
}
