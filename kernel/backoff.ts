/** How a delay varies at random: `quarter` by a quarter in both directions, `full` between zero and the whole delay. */
type Jitter = 'quarter' | 'full' | 'none';

/** The delays of one kind of retry. */
export interface Backoff {
  /** Delay after the first failure, before jitter. */
  firstMs: number;
  /** Upper bound of every delay, before jitter. */
  maxMs: number;
  /** Keeps clients that failed together from retrying together. Defaults to `quarter`. */
  jitter?: Jitter;
}

/** Every `maxMs` in use is reached before this many doublings, so the power of two stays a safe integer. */
const DOUBLINGS_MAX = 20;

/**
 * Returns the delay after the n-th failure in a row (n from 1): `firstMs`, doubled with each further failure, at most
 * `maxMs`. `fraction` is a random number in [0, 1). The caller does the waiting, so that tests need not wait.
 */
export function backoffMs(failures: number, fraction: number, { firstMs, maxMs, jitter = 'quarter' }: Backoff): number {
  const delayMs = Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, DOUBLINGS_MAX));
  return Math.floor(delayMs * factorOf(jitter, fraction));
}

function factorOf(jitter: Jitter, fraction: number): number {
  if (jitter === 'none') return 1;
  return jitter === 'full' ? fraction : 0.75 + fraction / 2;
}
