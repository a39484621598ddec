import type { Clock } from '../../kernel/clock.js';

/**
 * The time of the database as far as this process knows it, for times that all control planes compare: when a session, a
 * token or a confirmation ends. The clock of one control plane may be wrong by minutes.
 */
export interface DatabaseClock extends Clock {
  /** The clock of this process is ahead of the database's by `offsetMs` now; negative when it is behind. */
  measured(offsetMs: number): void;
}

/**
 * Until the next measurement, time passes as on the clock of this process, or as its monotonic clock says if that is
 * more: a wall clock that is set back changes nothing, and a monotonic clock stands still while a machine is suspended.
 */
export function createDatabaseClock(clock: Clock): DatabaseClock {
  const read = () => ({ wallMs: clock.now(), monotonicMs: clock.monotonic() });
  let measured = { ...read(), offsetMs: 0 };
  return {
    now: () => {
      const passedMs = clock.monotonic() - measured.monotonicMs;
      return Math.round(Math.max(clock.now(), measured.wallMs + passedMs) - measured.offsetMs);
    },
    monotonic: () => clock.monotonic(),
    after: (delayMs, run) => clock.after(delayMs, run),
    every: (periodMs, run) => clock.every(periodMs, run),
    sleep: (delayMs, signal) => clock.sleep(delayMs, signal),
    measured(offsetMs) {
      measured = { ...read(), offsetMs };
    },
  };
}
