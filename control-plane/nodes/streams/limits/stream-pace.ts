import type { Clock } from '../../../../kernel/clock.js';
import {
  type BucketRate,
  isFull,
  type TokenBucket,
  takeTokens,
  untilPositiveMs,
} from '../../../../kernel/token-bucket.js';

/** A node that reconnects with its backoff needs about ten in the first minute, and then two a minute. */
const STREAMS: BucketRate = { burst: 20, perSecond: 0.5 };
/** Credentials that are remembered, right or wrong. When there are more, those that are unused for 40 s are forgotten. */
const CREDENTIALS_MAX = 20_000;

/** Limits how many streams a node opens, because each costs reads and writes of the database and lines in the log. */
export interface StreamPace {
  /**
   * Counts a stream before its credential is looked up. Returns after how many milliseconds the node may open its next
   * stream; 0 if it may open this one.
   */
  waitMs(credential: string): number;
}

export function createStreamPace(clock: Pick<Clock, 'monotonic'>): StreamPace {
  const buckets = new Map<string, TokenBucket>();

  function prune(nowMs: number): void {
    if (buckets.size < CREDENTIALS_MAX) return;
    for (const [credential, bucket] of buckets) if (isFull(bucket, STREAMS, nowMs)) buckets.delete(credential);
    // Only a flood of wrong credentials fills the memory with buckets that are in use.
    if (buckets.size >= CREDENTIALS_MAX) buckets.clear();
  }

  return {
    waitMs(credential) {
      const nowMs = clock.monotonic();
      const bucket = takeTokens(buckets.get(credential) ?? null, STREAMS, 1, nowMs);
      const waitMs = untilPositiveMs(bucket, STREAMS, nowMs);
      if (waitMs > 0) return waitMs;
      prune(nowMs);
      buckets.set(credential, bucket);
      return 0;
    },
  };
}
