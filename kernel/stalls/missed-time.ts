import type { Clock } from '../clock.js';

/** A process that could not run for at least this long was stalled. Less is a busy machine. */
export const STALL_MS = 1_000;

/**
 * Returns a function that returns how long this process could not run since the last call, in milliseconds; 0 unless it
 * was stalled: stopped, suspended with its machine, or its event loop blocked. `periodMs` is how often the function is
 * called while the process runs. While a process is stalled, messages of others wait unread, so it must not count that
 * time as their silence.
 *
 * The monotonic clock of Linux stands still while a machine is suspended, and the wall clock does not. A wall clock that
 * was set forward looks the same, and only makes the process wait for the others once more.
 */
export function createMissedTime(clock: Pick<Clock, 'now' | 'monotonic'>, periodMs: number): () => number {
  let atMs = clock.monotonic();
  let wallMs = clock.now();
  return () => {
    const elapsedMs = Math.max(clock.monotonic() - atMs, clock.now() - wallMs);
    atMs = clock.monotonic();
    wallMs = clock.now();
    const missedMs = elapsedMs - periodMs;
    return missedMs >= STALL_MS ? missedMs : 0;
  };
}
