import type { Clock } from '../kernel/clock.js';

/**
 * An estimate of the control plane's wall clock. Slots are computed from it, so that the probes of a monitor keep their
 * distance even if their own clocks are wrong. Between observations it advances with the monotonic clock, so a jump of
 * this machine's wall clock has no effect.
 */
export interface ServerTime {
  /** Returns epoch milliseconds; before the first observation, those of this machine. */
  now(): number;
  /** The control plane read `serverTimeMs` from its clock during the round trip that has just ended. */
  observe(serverTimeMs: number, roundTripMs: number): void;
  /** Returns how far it is ahead of this machine's wall clock. */
  aheadMs(): number;
  /**
   * Starts from the estimate of an earlier process, unless there is an observation. The next observation then adjusts
   * the estimate instead of setting it, so that no slot runs twice.
   */
  assume(aheadMs: number): void;
  /** Calls `listener` when the time is set instead of adjusted, so that timers based on it are set again. */
  onStep(listener: () => void): void;
}

/** Share of a difference that one observation corrects, because network jitter is larger than the drift of clocks. */
const CORRECTION = 0.25;
/** Observations with a slower round trip are ignored, unless there is no other. */
const ROUND_TRIP_MS_MAX = 2_000;
/** A larger difference means that a clock was set. The new time is used once two observations agree. */
const STEP_MS = 1_000;
/** Two observations that differ by less than this agree. */
const AGREEMENT_MS = 500;

export function createServerTime(clock: Clock): ServerTime {
  let offset = clock.now() - clock.monotonic();
  let known = false;
  let suspected: number | null = null;
  const listeners: (() => void)[] = [];

  function set(to: number): void {
    offset = to;
    suspected = null;
    for (const listener of listeners) listener();
  }

  return {
    now: () => offset + clock.monotonic(),
    observe(serverTimeMs, roundTripMs) {
      const observed = serverTimeMs + roundTripMs / 2 - clock.monotonic();
      if (!known) {
        known = true;
        set(observed);
        return;
      }
      if (roundTripMs > ROUND_TRIP_MS_MAX) return;
      const difference = observed - offset;
      if (Math.abs(difference) <= STEP_MS + roundTripMs / 2) {
        offset += difference * CORRECTION;
        suspected = null;
      } else if (suspected !== null && Math.abs(observed - suspected) <= AGREEMENT_MS + roundTripMs / 2) {
        set(observed);
      } else {
        suspected = observed;
      }
    },
    aheadMs: () => offset + clock.monotonic() - clock.now(),
    assume(aheadMs) {
      if (known) return;
      known = true;
      set(clock.now() + aheadMs - clock.monotonic());
    },
    onStep: (listener) => void listeners.push(listener),
  };
}
