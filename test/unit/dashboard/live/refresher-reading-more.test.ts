import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';
import { waitFor } from '../../../helpers/wait.js';

interface Refresher {
  add(keys: readonly (readonly string[])[]): void;
  settled(): Promise<void>;
}

const { createRefresher } = await browserModule<{ createRefresher(needs: unknown): Refresher }>(
  'app/live/reading/refresher.ts',
);

const HANGS_MS = 20_000;

interface ListOptions {
  key?: string;
  readSome?: () => Promise<void>;
}

/** A list of three pages on a page of the dashboard, of which the test answers each request. */
async function list({ key = 'timeline', readSome }: ListOptions = {}) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const requests: { page: number; answer(text: string): void }[] = [];
  const observer = new InfiniteQueryObserver(queries, {
    queryKey: [key],
    ...(readSome === undefined ? {} : { meta: { readSome } }),
    initialPageParam: 0,
    getNextPageParam: (_page, pages) => (pages.length < 3 ? pages.length : undefined),
    queryFn: ({ pageParam }) =>
      new Promise<string>((resolve) => {
        requests.push({ page: pageParam as number, answer: resolve });
      }),
  });
  const leave = observer.subscribe(() => undefined);
  const refresher = createRefresher({
    queries,
    clock: { now: () => 0, wait: (ms: number) => (ms >= 10_000 ? new Promise(() => {}) : Promise.resolve()) },
    requestsPerMinute: () => null,
  });
  /** Answers the request that is sent as the `count`th, when it is there. */
  async function answer(count: number, text: string): Promise<number> {
    const request = await waitFor(`request ${count}`, HANGS_MS, async () => requests[count - 1]);
    request.answer(text);
    return request.page;
  }
  await answer(1, 'new');
  await waitFor('the first page', HANGS_MS, async () => observer.getCurrentResult().isSuccess);
  const close = () => {
    leave();
    queries.clear();
  };
  return {
    queries,
    observer,
    refresher,
    requests,
    answer,
    close,
    pages: () => observer.getCurrentResult().data?.pages,
  };
}

t.test('an event while more is read does not end that request, and is followed by another reading', async (t) => {
  const { observer, refresher, requests, answer, close, pages } = await list();
  t.teardown(close);
  const more = observer.fetchNextPage();
  refresher.add([['timeline']]);
  t.equal(await answer(2, 'old'), 1);
  await more;
  t.same(pages(), ['new', 'old'], 'the page that was requested is there');
  t.same([await answer(3, 'newer'), await answer(4, 'older')], [0, 1], 'what the event said is read after it');
  await refresher.settled();
  t.same(pages(), ['newer', 'older']);
  t.equal(requests.length, 4);
});

t.test('who asks for more while an event is followed gets it, and the event is followed again', async (t) => {
  const { observer, refresher, requests, answer, close, pages } = await list();
  t.teardown(close);
  refresher.add([['timeline']]);
  await waitFor('the reading', HANGS_MS, async () => requests.length === 2);
  const more = observer.fetchNextPage();
  t.equal(await answer(3, 'old'), 1);
  await more;
  t.same([await answer(4, 'newer'), await answer(5, 'older')], [0, 1]);
  await refresher.settled();
  t.same(pages(), ['newer', 'older']);
});

t.test('of a list that is removed while more of it is read, nothing is read again', async (t) => {
  const { queries, observer, refresher, requests, close } = await list();
  t.teardown(close);
  observer.fetchNextPage().catch(() => undefined);
  refresher.add([['timeline']]);
  queries.clear();
  await refresher.settled();
  t.equal(requests.length, 2);
});

t.test(
  'of a list that is read in parts, the part is read after a page that was requested before or meanwhile',
  async (t) => {
    const parts: (() => void)[] = [];
    const readSome = () => new Promise<void>((resolve) => parts.push(resolve));
    const { observer, refresher, answer, close, pages } = await list({ key: 'monitors', readSome });
    t.teardown(close);
    const before = observer.fetchNextPage();
    refresher.add([['monitor', 'mon_1'], ['monitors']]);
    await answer(2, 'second');
    await before;
    await waitFor('the part', HANGS_MS, async () => parts.length === 1);
    const meanwhile = observer.fetchNextPage();
    parts[0]?.();
    await answer(3, 'third');
    await meanwhile;
    await waitFor('the part again', HANGS_MS, async () => parts.length === 2);
    parts[1]?.();
    await refresher.settled();
    t.same(pages(), ['new', 'second', 'third']);
  },
);
