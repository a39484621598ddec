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

/** A list of two pages on a page of the dashboard, of which the test answers each request. */
async function list() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const requests: { page: number; answer(text: string): void }[] = [];
  const observer = new InfiniteQueryObserver(queries, {
    queryKey: ['timeline'],
    initialPageParam: 0,
    getNextPageParam: (_page, pages) => (pages.length < 2 ? pages.length : undefined),
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
  return { observer, refresher, requests, answer, close, pages: () => observer.getCurrentResult().data?.pages };
}

t.test('an event while more is read does not end that request, and is followed by another reading', async (t) => {
  const { observer, refresher, requests, answer, close, pages } = await list();
  t.teardown(close);
  const more = observer.fetchNextPage();
  refresher.add([['timeline']]);
  t.equal(await answer(2, 'old'), 1);
  await more;
  t.same(pages(), ['new', 'old'], 'what somebody asked for is there');
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
