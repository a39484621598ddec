import type { Clock } from '../clock.js';
import { STALL_MS } from './missed-time.js';

/**
 * Notices when this process could not run: it was stopped (SIGSTOP, a debugger), its machine was suspended or migrated,
 * or its event loop was blocked. What it measured over such a time says something about itself, not about others.
 */
export interface StallWatch {
  /**
   * Returns the longest time since `sinceMs`, a monotonic time, in which this process could not run; 0 if that was
   * never more than a moment. It is up to date even if it is called before any timer has fired after a stall.
   */
  longestSince(sinceMs: number): number;
  /** Returns the number of stalls, of at least `STALL_MS`, since the start. */
  total(): number;
  stop(): void;
}

/** How often the watch notes that the process runs. One timer costs about 0.05 % of a processor. */
const TICK_MS = 100;
/** Shorter pauses are not kept: the garbage collector and other processes cause them all the time. */
export const PAUSE_MS_MIN = 200;
/** Longer than anything that is compared with the pauses takes. */
const KEPT_MS = 300_000;
const PAUSES_MAX = 1_000;

interface Pause {
  /** A monotonic time. */
  endedAtMs: number;
  /** The part that the monotonic clock counted. */
  countedMs: number;
  /** The part that it did not count, because the machine was suspended, by the wall clock. */
  suspendedMs: number;
}

/** `onStall` is called with the length of each stall, in milliseconds, when the process runs again. */
export function createStallWatch(clock: Clock, onStall: (stalledMs: number) => void): StallWatch {
  const pauses: Pause[] = [];
  let total = 0;
  let lastMs = clock.monotonic();
  let lastWallMs = clock.now();

  function update(): void {
    const nowMs = clock.monotonic();
    const wallMs = clock.now();
    const countedMs = nowMs - lastMs;
    const suspendedMs = Math.max(0, wallMs - lastWallMs - countedMs);
    lastMs = nowMs;
    lastWallMs = wallMs;
    const pausedMs = countedMs + suspendedMs;
    if (pausedMs < PAUSE_MS_MIN) return;
    pauses.push({ endedAtMs: nowMs, countedMs, suspendedMs });
    while (pauses.length > PAUSES_MAX || (pauses[0]?.endedAtMs ?? nowMs) < nowMs - KEPT_MS) pauses.shift();
    if (pausedMs < STALL_MS) return;
    total += 1;
    onStall(pausedMs);
  }

  const timer = clock.every(TICK_MS, update);
  return {
    longestSince(sinceMs) {
      update();
      let longestMs = 0;
      for (let index = pauses.length - 1; index >= 0; index -= 1) {
        const pause = pauses[index];
        if (pause === undefined || pause.endedAtMs <= sinceMs) break;
        longestMs = Math.max(longestMs, Math.min(pause.countedMs, pause.endedAtMs - sinceMs) + pause.suspendedMs);
      }
      return longestMs;
    },
    total: () => total,
    stop: () => timer.cancel(),
  };
}
