import type { Query, QueryClient } from '@tanstack/react-query';
import { isAffected, type KeyStart } from './affected-keys.ts';
import { gapMs } from './pace.ts';

/** More keys than this at once concern everything. */
const KEYS_MAX = 200;
/** A request that takes longer does not hold back what others have to say. */
const READ_MS_MAX = 10_000;

/** Reads again what events concern. */
export interface Refresher {
  /** Reads the queries on the page again that begin with one of the keys, and the others when they are shown. */
  add(keys: readonly KeyStart[]): void;
  /** The same for all queries. Resolves when those on the page have been read. */
  addAll(): Promise<void>;
  /** Resolves when everything that was added so far has been read. */
  settled(): Promise<void>;
}

export interface RefresherClock {
  /** In milliseconds, from any time. */
  now(): number;
  wait(ms: number): Promise<void>;
}

interface RefresherNeeds {
  queries: Pick<QueryClient, 'getQueryCache' | 'invalidateQueries'>;
  clock: RefresherClock;
  requestsPerMinute(): number | null;
}

/** Keeps only which queries to read, so that a storm of events takes neither memory nor requests. */
export function createRefresher({ queries, clock, requestsPerMinute }: RefresherNeeds): Refresher {
  let pending = new Map<string, KeyStart>();
  let running: Promise<void> | null = null;
  let nextMs = 0;

  async function flush(): Promise<void> {
    const starts = [...pending.values()];
    pending = new Map();
    const predicate = ({ queryKey }: Query) => starts.some((start) => isAffected(queryKey, start));
    const affected = queries.getQueryCache().findAll({ type: 'active', predicate });
    await Promise.race([queries.invalidateQueries({ predicate }), clock.wait(READ_MS_MAX)]);
    nextMs =
      clock.now() +
      gapMs(
        affected.reduce((sum, query) => sum + requestsOf(query), 0),
        requestsPerMinute(),
      );
  }

  async function run(): Promise<void> {
    while (pending.size > 0) {
      const waitMs = nextMs - clock.now();
      if (waitMs > 0) await clock.wait(waitMs);
      await flush();
    }
    running = null;
  }

  function settled(): Promise<void> {
    if (pending.size === 0) return running ?? Promise.resolve();
    running ??= run();
    return running;
  }

  /** From now on, what is shown counts as old. */
  function mark(starts: readonly KeyStart[]): void {
    const predicate = ({ queryKey }: Query) => starts.some((start) => isAffected(queryKey, start));
    void queries.invalidateQueries({ predicate, refetchType: 'none' });
  }

  return {
    settled,
    add(keys) {
      for (const key of keys) pending.set(key.join('\n'), key);
      if (pending.size > KEYS_MAX) pending = new Map([['', []]]);
      mark(keys);
      void settled();
    },
    addAll() {
      pending = new Map([['', []]]);
      nextMs = 0;
      return settled();
    },
  };
}

/** A list reads each of its pages again. */
function requestsOf({ state: { data } }: Query): number {
  const pages = (data as { pages?: unknown } | undefined)?.pages;
  return Array.isArray(pages) ? pages.length : 1;
}
