import type { BucketRate } from '../../../../kernel/buckets/token-bucket.js';
import { createTokenBuckets } from '../../../../kernel/buckets/token-buckets.js';
import type { Clock } from '../../../../kernel/clock.js';

/** A node that reconnects with its backoff needs about ten in the first minute, and then two a minute. */
const STREAMS: BucketRate = { burst: 20, perSecond: 0.5 };
/** Credentials that are remembered, right or wrong. Only a flood of wrong ones has more in use, and they are forgotten. */
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
  const buckets = createTokenBuckets(STREAMS, clock);
  return {
    waitMs(credential) {
      if (buckets.size() >= CREDENTIALS_MAX) buckets.clear();
      return buckets.tryTake(credential, 1);
    },
  };
}
