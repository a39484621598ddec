import type { Clock, Timer } from '../kernel/clock.js';
import type { ServerTime } from '../node-link/server-time.js';

/** One timer for all slots, set by the clock of the control plane. */
export interface WakeUp {
  /** Fires at `dueMs` or shortly after it, unless the timer is already set to fire before that. */
  at(dueMs: number): void;
  cancel(): void;
}

/**
 * Slots of different monitors that are due within this time start together. One wake-up for each slot doubles the cost
 * of a busy probe (0.67 CPU-seconds per 1,000 checks instead of 0.36, docs/decisions/0007). The price is that a single
 * check starts up to this much late.
 */
const GROUPING_MS = 100;
/** The timer fires at least this often, so that small corrections of the clock are followed. */
const WAIT_MS_MAX = 1_000;

export function createWakeUp(needs: { clock: Clock; serverTime: ServerTime; run(): void }): WakeUp {
  const { clock, serverTime, run } = needs;
  // Wake-ups are counted from the start of this process, so that probes do not wake up at the same moments.
  const originMs = serverTime.now();
  let timer: Timer | null = null;
  let timerAtMs = Number.POSITIVE_INFINITY;

  function fire(): void {
    timer = null;
    run();
  }

  return {
    at(dueMs) {
      const atMs = originMs + Math.ceil((dueMs - originMs) / GROUPING_MS) * GROUPING_MS;
      if (timer !== null && timerAtMs <= atMs) return;
      timer?.cancel();
      timerAtMs = atMs;
      timer = clock.after(Math.min(atMs - serverTime.now(), WAIT_MS_MAX), fire);
    },
    cancel() {
      timer?.cancel();
      timer = null;
    },
  };
}
