import { QueryClient, type QueryFunctionContext } from '@tanstack/react-query';
import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en-GB'] } });
Object.defineProperty(globalThis, 'document', { value: { baseURI: 'https://picket.example/' } });

const { recentQuery } = await browserModule<{
  recentQuery: { queryKey: string[]; queryFn(context: QueryFunctionContext): Promise<object> };
}>('parts/overview/queries.ts');

const SHOWN_AT_MS = 1_000;

t.test('what is shown while older changes are read keeps its age', async (t) => {
  const client = new QueryClient();
  const line = {
    ...{ id: 'tle_1', type: 'audit.monitor.created', actor: 'user:usr_1', created_at: new Date().toISOString() },
    ...{ resource: { type: 'monitor', id: 'mon_1', name: 'Shop' }, metadata: {} },
  };
  let answerOlder = () => {};
  const older = new Promise<void>((resolve) => {
    answerOlder = resolve;
  });
  const { fetch } = globalThis;
  t.teardown(() => Object.assign(globalThis, { fetch }));
  let askedOlder = () => {};
  const asked = new Promise<void>((resolve) => {
    askedOlder = resolve;
  });
  Object.assign(globalThis, {
    async fetch(url: string) {
      const { pathname, searchParams } = new URL(url, 'https://picket.example/');
      if (searchParams.get('cursor') === 'older') {
        askedOlder();
        await older;
        return Response.json({ data: [], next_cursor: null });
      }
      const isTimeline = pathname.endsWith('/v1/timeline');
      return Response.json(isTimeline ? { data: [line], next_cursor: 'older' } : { data: [], next_cursor: null });
    },
  });
  const { queryKey } = recentQuery;
  const read = () => recentQuery.queryFn({ client, queryKey, signal: new AbortController().signal, meta: undefined });

  const shown = { outages: [], changes: [], hasMore: false };
  client.setQueryData(queryKey, shown, { updatedAt: SHOWN_AT_MS });
  const again = read();
  await asked;
  t.equal(client.getQueryState(queryKey)?.dataUpdatedAt, SHOWN_AT_MS, 'it is as old as it was');
  t.equal(client.getQueryData(queryKey), shown);
  client.clear();
  const first = read();
  answerOlder();
  await Promise.all([again, first]);
  t.match(client.getQueryData(queryKey), { changes: [{ objects: 1 }] }, 'who opens the page does not wait for them');
});
