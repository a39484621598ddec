import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

interface FakeQuery {
  queryKey: readonly string[];
  queryHash: string;
  state: { data: unknown };
  meta?: { readSome(ids: readonly string[]): Promise<void> };
}
interface Filters {
  predicate(query: FakeQuery): boolean;
  refetchType?: string;
}

const { createRefresher } = await browserModule<{
  createRefresher(needs: unknown): {
    add(keys: readonly (readonly string[])[]): void;
    addAll(): Promise<void>;
    settled(): Promise<void>;
  };
}>('app/live/reading/refresher.ts');

const LISTS = ['monitors', 'incidents', 'timeline'];

/** A refresher whose clock moves when it waits, and what it reads when. `answer` is called for each read. */
function harness(options: { perMinute?: number; answer?: () => Promise<void> } = {}) {
  let nowMs = 0;
  const reads: { atMs: number; lists: string[] }[] = [];
  const cache = LISTS.map((name): FakeQuery => ({ queryKey: [name], queryHash: name, state: { data: {} } }));
  const refresher = createRefresher({
    queries: {
      getQueryCache: () => ({ findAll: ({ predicate }: Filters) => cache.filter(predicate) }),
      async invalidateQueries({ predicate, refetchType }: Filters) {
        if (refetchType === 'none') return;
        reads.push({ atMs: nowMs, lists: cache.filter(predicate).map(({ queryKey }) => queryKey[0] ?? '') });
        await options.answer?.();
      },
    },
    clock: {
      now: () => nowMs,
      async wait(ms: number) {
        // The longest wait is only for a read that hangs.
        if (ms >= 10_000) await new Promise(() => {});
        nowMs += ms;
      },
    },
    requestsPerMinute: () => options.perMinute ?? null,
  });
  return { refresher, reads, cache };
}

t.test('the first event is followed at once, a storm of them once a second', async (t) => {
  const { refresher, reads } = harness();
  refresher.add([['monitors']]);
  t.same(reads, [{ atMs: 0, lists: ['monitors'] }]);
  for (let events = 0; events < 500; events += 1) refresher.add([['monitors'], ['timeline'], ['monitor', `${events}`]]);
  await refresher.settled();
  t.same(reads[1], { atMs: 1_000, lists: LISTS }, 'so many objects concern everything');
  t.equal(reads.length, 2);
});

t.test('the limit of the plan sets the pace', async (t) => {
  const { refresher, reads } = harness({ perMinute: 60 });
  refresher.add([['timeline']]);
  refresher.add([['timeline']]);
  await refresher.settled();
  t.same(
    reads.map(({ atMs }) => atMs),
    [0, 2_000],
  );
});

t.test('an event during a read is followed by another one', async (t) => {
  let answer = () => {};
  const { refresher, reads } = harness({
    answer: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  refresher.add([['monitors']]);
  refresher.add([['monitors']]);
  t.equal(reads.length, 1, 'reads of the same list do not overtake each other');
  answer();
  const settled = refresher.settled();
  for (let turns = 0; turns < 100 && reads.length < 2; turns += 1) await Promise.resolve();
  answer();
  await settled;
  t.equal(reads.length, 2);
});

t.test('everything can be read without waiting', async (t) => {
  const { refresher, reads } = harness({ perMinute: 1 });
  await refresher.addAll();
  await refresher.addAll();
  t.same(reads, [
    { atMs: 0, lists: LISTS },
    { atMs: 0, lists: LISTS },
  ]);
});

t.test('of a long list, only what events name is read, unless that fails', async (t) => {
  const { refresher, reads, cache } = harness();
  const parts: (readonly string[])[] = [];
  const [monitors] = cache;
  if (monitors !== undefined) {
    monitors.meta = {
      async readSome(ids) {
        parts.push(ids);
        if (ids.includes('broken')) throw new Error('not this time');
      },
    };
  }
  refresher.add([['monitor', 'mon_1'], ['monitors'], ['timeline']]);
  await refresher.settled();
  t.same(parts, [['mon_1']]);
  t.same(
    reads.map(({ lists }) => lists),
    [['timeline']],
  );
  refresher.add([['monitor', 'broken'], ['monitors']]);
  await refresher.settled();
  t.same(
    reads.map(({ lists }) => lists),
    [['timeline'], [], ['monitors']],
  );
  await refresher.addAll();
  t.same(reads.at(-1)?.lists, LISTS);
});
