import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';
import { waitFor } from '../../../helpers/wait.js';

interface HistoryCache {
  get(id: string): { monitor_id: string } | null | undefined;
  want(ids: string[]): void;
  subscribe(listener: () => void): () => void;
  resume(): () => void;
}
const { createHistoryCache } = await browserModule<{
  createHistoryCache(read: (ids: string[]) => Promise<{ monitor_id: string }[]>, nowMs: () => number): HistoryCache;
}>('parts/monitors/list/history/history-cache.ts');

t.test('rows that pass by are not read, each of the others once while it is fresh', async (t) => {
  let nowMs = 0;
  const reads: string[][] = [];
  const cache = createHistoryCache(
    async (ids) => {
      reads.push(ids);
      return ids.filter((id) => id !== 'new').map((monitor_id) => ({ monitor_id }));
    },
    () => nowMs,
  );
  const stop = cache.resume();
  t.teardown(stop);
  cache.want(['passing']);
  cache.want(['a', 'new']);
  await waitFor('history', 5_000, () => cache.get('a'));
  t.same(reads, [['a', 'new']]);
  t.equal(cache.get('new'), null, 'it has no history');
  t.equal(cache.get('passing'), undefined);
  cache.want(['a', 'b']);
  await waitFor('history', 5_000, () => cache.get('b'));
  t.same(reads.at(-1), ['b']);
  nowMs += 300_001;
  cache.want(['a']);
  await waitFor('a read after some minutes', 5_000, () => reads.length === 3);
  const many = Array.from({ length: 150 }, (_, index) => `m${index}`);
  cache.want(many);
  await waitFor('two batches', 5_000, () => cache.get('m149'));
  t.same(
    reads.slice(3).map((ids) => ids.length),
    [100, 50],
    'the API accepts 100 at once',
  );
});

t.test('a failed read is repeated when the rows are asked for again, and not by itself', async (t) => {
  let reads = 0;
  const cache = createHistoryCache(
    async (ids) => {
      reads++;
      if (reads === 1) throw new Error('offline');
      return ids.map((monitor_id) => ({ monitor_id }));
    },
    () => 0,
  );
  t.teardown(cache.resume());
  cache.want(['a']);
  await waitFor('the first read', 5_000, () => reads === 1);
  await sleep(0);
  cache.want(['a']);
  await waitFor('the second read', 5_000, () => cache.get('a'));
  t.equal(reads, 2);
});
