/** How much may be taken from a bucket: `burst` at once, and `perSecond` in the long run. */
export interface BucketRate {
  burst: number;
  perSecond: number;
}

/** The state of one bucket. `tokens` is negative while more was taken than there was. */
export interface TokenBucket {
  tokens: number;
  /** When `tokens` was right, in milliseconds of a monotonic clock. */
  atMs: number;
}

const MS_PER_S = 1_000;

/**
 * Returns the bucket after `cost` was taken from it; null is a full bucket. A cost that is larger than the bucket makes
 * it negative, so that the next taker waits for longer.
 */
export function takeTokens(bucket: TokenBucket | null, rate: BucketRate, cost: number, nowMs: number): TokenBucket {
  return { tokens: tokensIn(bucket, rate, nowMs) - cost, atMs: nowMs };
}

/** Returns the milliseconds until the bucket is not negative; 0 if it is not. */
export function untilPositiveMs(bucket: TokenBucket, rate: BucketRate, nowMs: number): number {
  return Math.max(0, Math.ceil((-tokensIn(bucket, rate, nowMs) * MS_PER_S) / rate.perSecond));
}

/** Returns whether the bucket is full again, so that its state can be forgotten. */
export function isFull(bucket: TokenBucket, rate: BucketRate, nowMs: number): boolean {
  return tokensIn(bucket, rate, nowMs) >= rate.burst;
}

function tokensIn(bucket: TokenBucket | null, { burst, perSecond }: BucketRate, nowMs: number): number {
  if (bucket === null) return burst;
  return Math.min(burst, bucket.tokens + ((nowMs - bucket.atMs) * perSecond) / MS_PER_S);
}
