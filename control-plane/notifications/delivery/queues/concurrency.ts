import type { Answer } from '../attempt.js';

/** Maximum number of concurrent deliveries to one channel. */
export const CONCURRENCY_MAX = 16;

/**
 * Returns the concurrency of a channel after a delivery. A channel starts with one delivery at a time, so that one that
 * hangs occupies one place. Each success doubles the concurrency; a failure resets it to one.
 */
export function nextConcurrency(concurrency: number, answer: Answer['channel']): number {
  if (answer === 'failed') return 1;
  return answer === 'delivered' ? Math.min(CONCURRENCY_MAX, concurrency * 2) : concurrency;
}
