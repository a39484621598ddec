import { createDirectoryCache, type DirectoryCache } from '../../../control-plane/monitors/directory/cache.js';
import type { DirectoryRow } from '../../../control-plane/monitors/directory/directory-store.js';
import type { AssignmentSource } from '../../../control-plane/nodes/nodes.js';
import { buildMonitor } from '../results/history.js';
import { monitorSecrets } from './secrets.js';

/** Returns the product's directory of this many monitors, each checked by five locations, without a database. */
export async function directoryOf(count: number): Promise<DirectoryCache & AssignmentSource> {
  const rows: DirectoryRow[] = Array.from({ length: count }, (_, index) =>
    buildMonitor({ url: `https://shop-${index}.example.com/health`, locations: ['fra', 'nyc', 'sin', 'lon', 'sfo'] }),
  );
  const store = {
    async directoryPage(after: string | null, limit: number) {
      const from = after === null ? 0 : rows.findIndex(({ _id }) => _id === after) + 1;
      return rows.slice(from, from + limit);
    },
    directoryRows: async () => [],
    async *versions() {},
  };
  const directory = createDirectoryCache(store, { plans: async () => new Map() }, monitorSecrets());
  await directory.load();
  return { ...directory, ready: async () => {} };
}
