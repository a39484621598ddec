import type { Clock } from '../../../kernel/clock.js';

/** How far the clock of this process is ahead of the database's, and by how much that may be wrong. */
export interface ClockOffset {
  offsetMs: number;
  errorMs: number;
}

/** Smaller differences are ignored: they do no harm, but a clock that jumps at each measurement would. */
const IGNORED_MS_MAX = 500;
/** Probes follow the time of the control planes within this time. */
const PROBES_FOLLOW_MS = 60_000;

/**
 * The time of the database as far as this process knows it. Control planes compare times that another one wrote, and tell
 * probes the time, so they must agree; the clock of one of them may be wrong by minutes.
 */
export interface DatabaseClock extends Clock {
  /** Call it with each measurement. One that agrees with the offset in use changes nothing. */
  measured(offset: ClockOffset): void;
  /** Returns whether the wall clock was set or the machine suspended since the last measurement: a new one is needed. */
  mustMeasure(): boolean;
  /** Returns how far the clock of this machine was ahead of the database's at the last measurement. */
  offsetMs(): number;
  /** Returns by how many milliseconds a measurement set the time back in the last minute. Probes may still use the old time. */
  setBackMs(): number;
}

/**
 * Until the next measurement, time passes as on the clock of this process, or as its monotonic clock says if that is
 * more: a wall clock that is set back changes nothing, and a monotonic clock stands still while a machine is suspended.
 */
export function createDatabaseClock(clock: Clock): DatabaseClock {
  const read = () => ({ wallMs: clock.now(), monotonicMs: clock.monotonic() });
  let measured = { ...read(), offsetMs: 0 };
  let lastOffsetMs = 0;
  let setBack = { byMs: 0, atMonotonicMs: Number.NEGATIVE_INFINITY };
  /** The time of the last measurement and what the monotonic clock has counted since. */
  const monotonicNowMs = () => measured.wallMs + clock.monotonic() - measured.monotonicMs;
  const now = () => Math.round(Math.max(clock.now(), monotonicNowMs()) - measured.offsetMs);
  const setBackMs = () => (clock.monotonic() - setBack.atMonotonicMs < PROBES_FOLLOW_MS ? setBack.byMs : 0);
  return {
    now,
    setBackMs,
    offsetMs: () => lastOffsetMs,
    mustMeasure: () => Math.abs(clock.now() - monotonicNowMs()) >= IGNORED_MS_MAX,
    monotonic: () => clock.monotonic(),
    after: (delayMs, run) => clock.after(delayMs, run),
    every: (periodMs, run) => clock.every(periodMs, run),
    sleep: (delayMs, signal) => clock.sleep(delayMs, signal),
    measured({ offsetMs, errorMs }) {
      lastOffsetMs = offsetMs;
      // A slow answer says little: its error must not move a clock that is right.
      const agrees = (other: number) => Math.abs(offsetMs - other) <= errorMs + IGNORED_MS_MAX;
      const inUse = [measured.offsetMs, 0].find(agrees) ?? offsetMs;
      const beforeMs = now();
      measured = { ...read(), offsetMs: inUse };
      const byMs = beforeMs - now();
      if (byMs > 0) setBack = { byMs: byMs + setBackMs(), atMonotonicMs: clock.monotonic() };
    },
  };
}
