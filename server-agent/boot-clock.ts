import type { Clock } from '../kernel/clock.js';

/** A smaller difference is rounding: `/proc/uptime` counts in hundredths of a second. */
const SUSPENSION_MS_MIN = 50;

/**
 * Returns a clock whose `monotonic` counts from the start of the machine and includes the time in which the machine was
 * suspended. Node's own monotonic clock counts from the start of the process and stops during suspension, and the wall
 * clock can be set. `uptimeSeconds` returns the value of `/proc/uptime`. The other methods are those of `clock`.
 */
export function createBootClock(clock: Clock, uptimeSeconds: () => number): Clock {
  const measureOffset = () => uptimeSeconds() * 1000 - clock.monotonic();
  let offsetMs = measureOffset();
  return {
    ...clock,
    monotonic() {
      const measuredMs = measureOffset();
      if (measuredMs - offsetMs >= SUSPENSION_MS_MIN) offsetMs = measuredMs;
      return clock.monotonic() + offsetMs;
    },
  };
}
