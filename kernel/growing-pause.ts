/** Beyond this many doublings every bound in use is reached; it keeps 2^n a safe number. */
const DOUBLINGS_MAX = 20;

/**
 * Pause after the n-th failure in a row (n from 1): it begins with `firstMs` and doubles up to `maxMs`, each shortened
 * or lengthened by up to a quarter, so that what failed together does not come back together. `fraction` is chance in
 * [0, 1).
 */
export function growingPauseMs(failures: number, fraction: number, range: { firstMs: number; maxMs: number }): number {
  const pause = Math.min(range.maxMs, range.firstMs * 2 ** Math.min(failures - 1, DOUBLINGS_MAX));
  return Math.round(pause * (0.75 + fraction / 2));
}
