import {
  type BucketRate,
  type TokenBucket,
  takeTokens,
  untilPositiveMs,
} from '../../../../kernel/buckets/token-bucket.js';
import type { Clock } from '../../../../kernel/clock.js';
import type { NodeIdentity } from '../../nodes.js';

/** Far above what nodes send. A node that sends more is read more slowly, so that others are served in the meantime. */
const MESSAGES: Readonly<Record<NodeIdentity['kind'], BucketRate>> = {
  agent: { burst: 200, perSecond: 20 },
  probe: { burst: 2_000, perSecond: 500 },
};
/** Every further part of this size costs as much as a message. */
const PART_BYTES = 4_096;

/** Limits how fast the messages of one stream are read. */
export interface MessagePace {
  /** Counts a message. Returns after how many milliseconds the next one may be read; 0 for at once. */
  received(bytes: number): number;
}

export function createMessagePace(kind: NodeIdentity['kind'], clock: Pick<Clock, 'monotonic'>): MessagePace {
  const rate = MESSAGES[kind];
  let bucket: TokenBucket | null = null;
  return {
    received(bytes) {
      const nowMs = clock.monotonic();
      bucket = takeTokens(bucket, rate, 1 + Math.floor(bytes / PART_BYTES), nowMs);
      return untilPositiveMs(bucket, rate, nowMs);
    },
  };
}
