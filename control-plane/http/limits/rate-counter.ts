import type { Clock, Timer } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Actor } from '../../actor.js';
import type { RateLimitStore } from './rate-limit-store.js';

const RATE_WINDOW_MS = 60_000;
const FLUSH_MS = 1_000;
const BUCKETS_MAX = 100_000;
/** All callers share this bucket once there are more than can be told apart. */
const OVERFLOW_BUCKET = 'overflow';

/** Counts requests by caller in the minute of the wall clock. */
export interface RateCounter {
  /** Requests of this minute, over all control planes as far as is known. */
  used(bucket: string): number;
  add(bucket: string): void;
  start(): void;
  /** Stops and writes what is counted. */
  stop(): Promise<void>;
}

interface Bucket {
  /** Of all processes, as of the last flush. */
  shared: number;
  /** Counted here since. */
  pending: number;
}

/**
 * Fixed windows of a minute. Each process counts in memory and exchanges its counts through the database each
 * second: no request waits for a write, and several control planes together let through at most what one second
 * of traffic adds.
 */
export function createRateCounter(parts: { store: RateLimitStore; clock: Clock; logger: Logger }): RateCounter {
  const { store, clock, logger } = parts;
  let window = rateWindow(clock);
  let buckets = new Map<string, Bucket>();
  let timer: Timer | null = null;
  let flushing: Promise<void> | null = null;

  function bucketOf(name: string): Bucket {
    if (rateWindow(clock) !== window) {
      window = rateWindow(clock);
      buckets = new Map();
    }
    const key = buckets.has(name) || buckets.size < BUCKETS_MAX ? name : OVERFLOW_BUCKET;
    const bucket = buckets.get(key) ?? { shared: 0, pending: 0 };
    buckets.set(key, bucket);
    return bucket;
  }

  async function flush(): Promise<void> {
    const at = window;
    const counted = new Map<string, { bucket: Bucket; count: number }>();
    for (const [name, bucket] of buckets) {
      if (bucket.pending > 0) counted.set(`${name}/${at}`, { bucket, count: bucket.pending });
    }
    if (counted.size === 0) return;
    try {
      const counts = new Map([...counted].map(([id, { count }]) => [id, count]));
      const totals = await store.add(counts, (at + 2) * RATE_WINDOW_MS);
      for (const [id, { bucket, count }] of counted) {
        bucket.pending -= count;
        bucket.shared = totals.get(id) ?? bucket.shared + count;
      }
    } catch (error) {
      // The counts stay where they are and go with the next flush; meanwhile each process limits by itself.
      logger.warn({ err: error }, 'rate limits could not be exchanged');
    }
  }

  function flushOnce(): Promise<void> {
    flushing ??= flush().finally(() => {
      flushing = null;
    });
    return flushing;
  }

  return {
    used(name) {
      const bucket = bucketOf(name);
      return bucket.shared + bucket.pending;
    },
    add(name) {
      bucketOf(name).pending += 1;
    },
    start() {
      timer ??= clock.every(FLUSH_MS, () => void flushOnce());
    },
    async stop() {
      timer?.cancel();
      timer = null;
      await flushOnce();
    },
  };
}

/** Whose requests are counted together: those of one key, or of one person in a workspace. */
export function callerBucket(actor: Pick<Actor, 'key' | 'workspaceId' | 'userId'>): string {
  return actor.key?.id ?? `${actor.workspaceId}/${actor.userId}`;
}

/** Whole seconds until the next window begins, one at least: for `Retry-After`. */
export function secondsToNextWindow(clock: Clock): number {
  return Math.max(1, Math.ceil(((rateWindow(clock) + 1) * RATE_WINDOW_MS - clock.now()) / 1_000));
}

/** Number of the minute that the wall clock is in. */
function rateWindow(clock: Clock): number {
  return Math.floor(clock.now() / RATE_WINDOW_MS);
}
