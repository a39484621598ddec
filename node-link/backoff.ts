/** Bounds of the pause before the nth try in a row. */
export interface BackoffRange {
  /** Upper end of the first pause. */
  baseMs: number;
  /** Upper end of every pause, however often it failed. */
  capMs: number;
}

/** Beyond this many doublings every cap in use is reached; it keeps 2^n a safe number. */
const DOUBLINGS_MAX = 30;

/**
 * Full jitter: uniform between nothing and a bound that doubles with each failure, so that a thousand nodes that
 * lost the same control plane do not come back together. `fraction` is in [0, 1). It only says how long: whoever
 * asks does the waiting, so that tests never sleep.
 */
export function backoffMs(failures: number, fraction: number, range: BackoffRange): number {
  const bound = Math.min(range.capMs, range.baseMs * 2 ** Math.min(failures, DOUBLINGS_MAX));
  return Math.floor(fraction * bound);
}
