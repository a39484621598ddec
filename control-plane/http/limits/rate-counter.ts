import type { Clock, Timer } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { RateLimitStore } from './rate-limit-store.js';

const RATE_WINDOW_MS = 60_000;
const FLUSH_MS = 1_000;
const BUCKETS_MAX = 100_000;
/** The bucket of all further callers once there are too many buckets. */
const OVERFLOW_BUCKET = 'overflow';

/** Counts the requests of each caller in the current minute of the wall clock. */
export interface RateCounter {
  /** Returns the requests in this minute on all control planes, as of the last exchange. */
  used(bucket: string): number;
  /** Counts a request. Returns the function that takes it back; call it at most once. */
  add(bucket: string): () => void;
  start(): void;
  /** Stops and writes the pending counts. */
  stop(): Promise<void>;
}

interface RateCounterNeeds {
  store: RateLimitStore;
  /**
   * Requests from which on the count of a bucket is exchanged. Anyone can fill a bucket of an address, and a write for
   * each would let a flood from many addresses through to the database.
   */
  exchangedFrom: number;
  clock: Clock;
  logger: Logger;
}

interface Bucket {
  /** Requests on all control planes, as of the last exchange. */
  shared: number;
  /** Requests in this process since then. */
  pending: number;
}

/**
 * Returns a counter with fixed windows of a minute. Each process counts in memory and exchanges its counts through the
 * database every second. This is our own code because rate limit libraries either write to the store for each request,
 * so that every request waits for the database, or count each process alone, so that two control planes allow twice the
 * limit. Here no request waits, and several control planes exceed a limit by at most one second of traffic.
 */
export function createRateCounter(needs: RateCounterNeeds): RateCounter {
  const { store, exchangedFrom, clock, logger } = needs;
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
      if (Math.abs(bucket.pending) >= exchangedFrom) counted.set(`${name}/${at}`, { bucket, count: bucket.pending });
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
      // The next exchange sends these counts too. Until then each process limits on its own.
      logger.warn({ err: error }, 'exchanging rate limit counts failed, retrying in 1 s');
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
      const bucket = bucketOf(name);
      bucket.pending += 1;
      return () => {
        bucket.pending -= 1;
      };
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

/** Returns the whole seconds until the next window begins, at least one, for `Retry-After`. */
export function secondsToNextWindow(clock: Clock): number {
  return Math.max(1, Math.ceil(((rateWindow(clock) + 1) * RATE_WINDOW_MS - clock.now()) / 1_000));
}

/** Returns the number of the current minute of the wall clock. */
function rateWindow(clock: Clock): number {
  return Math.floor(clock.now() / RATE_WINDOW_MS);
}
