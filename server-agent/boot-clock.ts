import type { Clock } from '../kernel/clock.js';

/**
 * A suspension shorter than this is taken for the difference between two clocks of which one counts in hundredths
 * of a second.
 */
const SUSPENSION_MS_MIN = 50;

/**
 * A clock whose `monotonic` counts from the start of the machine, with the time in which it was suspended: Node's own
 * counts from the start of the process and stands still then, and the wall clock can be set. `uptimeSeconds` is that
 * of `/proc/uptime`. Nothing else about `clock` changes.
 */
export function createBootClock(clock: Clock, uptimeSeconds: () => number): Clock {
  const differenceMs = () => uptimeSeconds() * 1000 - clock.monotonic();
  let known = differenceMs();
  return {
    ...clock,
    monotonic() {
      const difference = differenceMs();
      if (difference - known >= SUSPENSION_MS_MIN) known = difference;
      return clock.monotonic() + known;
    },
  };
}
