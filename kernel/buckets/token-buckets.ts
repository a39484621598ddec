import { type BucketRate, isFull, type TokenBucket, takeTokens, untilPositiveMs } from './token-bucket.js';

/** A bucket for each key. Full ones are forgotten, which changes nothing, so that the memory is for keys in use. */
export interface TokenBuckets {
  /** Takes the cost, even if there is less. Returns the milliseconds until the bucket is not negative; 0 if it is not. */
  take(key: string, cost: number): number;
  /** Takes the cost only if it is there. Returns 0 then, else the milliseconds until it is there. */
  tryTake(key: string, cost: number): number;
  /** Returns the milliseconds until the bucket is not negative; 0 if it is not. */
  waitMs(key: string): number;
  size(): number;
  clear(): void;
}

/** With fewer keys than this, looking for full buckets is not worth it. */
const PRUNED_KEYS_MIN = 1_000;

export function createTokenBuckets(rate: BucketRate, clock: { monotonic(): number }): TokenBuckets {
  const buckets = new Map<string, TokenBucket>();
  let pruneAt = PRUNED_KEYS_MIN;

  /** Each key costs a constant time, because the number of keys has doubled since the last time. */
  function prune(nowMs: number): void {
    if (buckets.size < pruneAt) return;
    for (const [key, bucket] of buckets) if (isFull(bucket, rate, nowMs)) buckets.delete(key);
    pruneAt = Math.max(PRUNED_KEYS_MIN, 2 * buckets.size);
  }

  function store(key: string, bucket: TokenBucket): void {
    prune(bucket.atMs);
    buckets.set(key, bucket);
  }

  function after(key: string, cost: number): { bucket: TokenBucket; waitMs: number } {
    const nowMs = clock.monotonic();
    const bucket = takeTokens(buckets.get(key) ?? null, rate, cost, nowMs);
    return { bucket, waitMs: untilPositiveMs(bucket, rate, nowMs) };
  }

  return {
    take(key, cost) {
      const { bucket, waitMs } = after(key, cost);
      store(key, bucket);
      return waitMs;
    },
    tryTake(key, cost) {
      const { bucket, waitMs } = after(key, cost);
      if (waitMs === 0) store(key, bucket);
      return waitMs;
    },
    waitMs: (key) => after(key, 0).waitMs,
    size: () => buckets.size,
    clear: () => buckets.clear(),
  };
}
