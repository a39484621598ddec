import type { Query, QueryClient } from '@tanstack/react-query';
import { gapMs } from '../pace.ts';
import { isAffected, type KeyStart, namedIds } from './affected-keys.ts';
import { endedByNextPage, isReadingNextPage, readPart, readWhole } from './read-again.ts';

/** More keys than this at once concern everything. */
const KEYS_MAX = 200;
/** A request that takes longer does not hold back what others have to say. */
const READ_MS_MAX = 10_000;

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /**
       * Of a long list: reads only these objects, and puts them into the data of the query. Those that are not there any
       * more were deleted. Rejects if the whole list must be read.
       */
      readSome?: (ids: readonly string[], queries: QueryClient) => Promise<void>;
    };
  }
}

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
  queries: QueryClient;
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
    const inPart = affected.flatMap((query) => partOf(query, starts));
    const whole = ({ queryHash }: Query) => !inPart.some(({ query }) => query.queryHash === queryHash);
    const later = affected.filter((query) => whole(query) && isReadingNextPage(queries, query));
    const atOnce = (query: Query) => predicate(query) && whole(query) && !later.includes(query);
    const before = new Map(affected.map((query) => [query, query.state.fetchMeta]));
    const work = [
      queries.invalidateQueries({ predicate: atOnce }).then(async () => {
        const ended = affected.filter((query) => atOnce(query) && endedByNextPage(query, before.get(query)));
        await Promise.all(ended.map((query) => readWhole(queries, query)));
      }),
      ...later.map((query) => readWhole(queries, query)),
      ...inPart.map(({ query, ids, readSome }) =>
        readPart(queries, query, () => readSome(ids, queries).catch(() => readWhole(queries, query))),
      ),
    ];
    await Promise.race([Promise.all(work), clock.wait(READ_MS_MAX)]);
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

/** Returns how to read the part of a list that changed; nothing if the whole query must be read. */
function partOf(query: Query, starts: readonly KeyStart[]) {
  const readSome = query.meta?.readSome;
  const ids = readSome === undefined || query.state.data === undefined ? null : namedIds(query.queryKey, starts);
  return readSome === undefined || ids === null ? [] : [{ query, ids, readSome }];
}

/** A list reads each of its pages again. */
function requestsOf({ state: { data } }: Query): number {
  const pages = (data as { pages?: unknown } | undefined)?.pages;
  return Array.isArray(pages) ? pages.length : 1;
}
