import t from 'tap';
import { createDirectoryCache } from '../../../control-plane/monitors/directory/cache.js';
import type { DirectoryReads, DirectoryRow } from '../../../control-plane/monitors/directory/directory-store.js';

const MONITORS = 5_000;
/** A tenth of a page. */
const AT_ONCE_MAX = 100;

const rowOf = (id: string) =>
  ({
    ...{ _id: id, workspace_id: 'ws_1', type: 'tcp', locations: ['fra', 'nyc'], version: 1, live_from_version: 1 },
    ...{ interval_seconds: 60, timeout_ms: 10_000, retries: 1, confirmations: null, paused_at_ms: null },
  }) as unknown as DirectoryRow;
const ids = Array.from({ length: MONITORS }, (_, index) => `mon_${String(index).padStart(6, '0')}`);
const store = {
  directoryRows: async (wanted: readonly string[]) => wanted.map(rowOf),
  directoryPage: async (after: string | null, limit: number) => {
    const start = after === null ? 0 : ids.indexOf(after) + 1;
    return ids.slice(start, start + limit).map(rowOf);
  },
} as unknown as DirectoryReads;

for (const [what, read] of [
  ['loaded', (cache: ReturnType<typeof createDirectoryCache>) => cache.load()],
  ['read again', (cache: ReturnType<typeof createDirectoryCache>) => cache.refresh(ids)],
] as const) {
  t.test(`thousands of monitors that are ${what} at once are replaced in slices`, async (t) => {
    const plans = { plans: async (wanted: readonly string[]) => new Map(wanted.map((id) => [id, 'Enterprise'])) };
    const secrets = { open: () => ({ url: 'shop.example.com:443', http: null }) };
    const cache = createDirectoryCache(store, plans as never, secrets as never);
    let pass = 0;
    let timer = setImmediate(function count() {
      pass += 1;
      timer = setImmediate(count);
    });
    const rows = new Map<number, number>();
    cache.subscribe(({ put }) => void rows.set(pass, (rows.get(pass) ?? 0) + put.length / 2));
    await read(cache);
    clearImmediate(timer);
    t.equal(cache.size(), MONITORS);
    t.equal(
      [...rows.values()].reduce((sum, one) => sum + one, 0),
      MONITORS,
    );
    // The first slice of a page follows a read of the database, which is not real here.
    const most = Math.max(...rows.values());
    t.ok(most <= 2 * AT_ONCE_MAX, `${most} monitors in one pass of the event loop`);
  });
}
