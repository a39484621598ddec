import type { Clock } from '../../kernel/clock.js';

/** How far the clock of this process is ahead of the database's, and by how much that may be wrong. */
export interface ClockOffset {
  offsetMs: number;
  errorMs: number;
}

/** Less than this matters to nobody, and a time that changes at each measurement would. */
const IGNORED_MS_MAX = 500;

/**
 * The time of the database as far as this process knows it. Control planes compare times that another one wrote, and tell
 * probes the time, so they must agree; the clock of one of them may be wrong by minutes.
 */
export interface DatabaseClock extends Clock {
  /** Call it with each measurement. One that agrees with the offset in use changes nothing. */
  measured(offset: ClockOffset): void;
  /** Whether the wall clock was set, or the machine suspended, since the last measurement, which is no longer true. */
  mustMeasure(): boolean;
}

/**
 * Until the next measurement, time passes as on the clock of this process, or as its monotonic clock says if that is
 * more: a wall clock that is set back changes nothing, and a monotonic clock stands still while a machine is suspended.
 */
export function createDatabaseClock(clock: Clock): DatabaseClock {
  const read = () => ({ wallMs: clock.now(), monotonicMs: clock.monotonic() });
  let measured = { ...read(), offsetMs: 0 };
  /** The time that the monotonic clock has measured since, on the wall clock of then. */
  const steadyMs = () => measured.wallMs + clock.monotonic() - measured.monotonicMs;
  return {
    now: () => Math.round(Math.max(clock.now(), steadyMs()) - measured.offsetMs),
    mustMeasure: () => Math.abs(clock.now() - steadyMs()) >= IGNORED_MS_MAX,
    monotonic: () => clock.monotonic(),
    after: (delayMs, run) => clock.after(delayMs, run),
    every: (periodMs, run) => clock.every(periodMs, run),
    sleep: (delayMs, signal) => clock.sleep(delayMs, signal),
    measured({ offsetMs, errorMs }) {
      // A slow answer says little: its error must not move a clock that is right.
      const agrees = (other: number) => Math.abs(offsetMs - other) <= errorMs + IGNORED_MS_MAX;
      const inUse = [0, measured.offsetMs].find(agrees) ?? offsetMs;
      measured = { ...read(), offsetMs: inUse };
    },
  };
}
