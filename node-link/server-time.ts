import type { Clock } from '../kernel/clock.js';

/**
 * The control plane's wall clock, as well as it can be told from here. Slots stand on it, so that the probes of a
 * monitor keep their distance whatever their own clocks say. It is carried by the monotonic clock: a jump of this
 * machine's wall clock moves nothing.
 */
export interface ServerTime {
  /** Epoch milliseconds. Before the first observation this machine's own idea. */
  now(): number;
  /** The control plane's time as it was read somewhere within the round trip that has just ended. */
  observe(serverTimeMs: number, roundTripMs: number): void;
  /** Epoch milliseconds that it is ahead of this machine's wall clock. */
  aheadMs(): number;
  /**
   * Takes what an earlier process knew for an observation, unless there is one: what is planned on it is adjusted
   * when the control plane is back, and not planned anew, so that no slot is run twice.
   */
  assume(aheadMs: number): void;
  /** Called when the time was set instead of adjusted: whatever is planned on it is planned anew. */
  onStep(listener: () => void): void;
}

/** Part of a difference that one observation corrects: the network's noise is larger than the clocks' drift. */
const CORRECTION = 0.25;
/** What a slow round trip leaves uncertain is not believed beyond this, once there is something better. */
const ROUND_TRIP_MS_MAX = 2_000;
/** A difference this large is a step of a clock and not noise; it is taken over once it was seen twice. */
const STEP_MS = 1_000;
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
