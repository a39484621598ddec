import type { Clock, Timer } from '../clock.js';
import { STALL_MS } from './missed-time.js';

/**
 * Calls `run` once after `delayMs`, for a wait on someone else: a response, a connection, a message. If the timer fires
 * late because this process was stalled, what it waits for may have arrived unread in the meantime. Then the timer
 * waits once more, for as long as the process was stalled but not longer than `delayMs`.
 */
export function afterListening(clock: Pick<Clock, 'after' | 'monotonic'>, delayMs: number, run: () => void): Timer {
  const dueMs = clock.monotonic() + delayMs;
  let timer = clock.after(delayMs, () => {
    const lateMs = clock.monotonic() - dueMs;
    if (lateMs < STALL_MS) return run();
    timer = clock.after(Math.min(lateMs, delayMs), run);
  });
  return { cancel: () => timer.cancel() };
}
