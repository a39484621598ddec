import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Db } from 'mongodb';
import type { OpenedSlice, Slice } from '../slice.js';
import type { LeasedPeriodicTaskNeeds } from '../storage/leases/leased-periodic-task.js';
import type { BulkNeeds } from './needs.js';
import { createBulkRoutes } from './routes.js';
import { createBulkRunner } from './runner.js';
import { createBulkStore } from './store.js';

interface MonitorBulkNeeds extends Omit<BulkNeeds, 'store' | 'yieldToEventLoop'>, LeasedPeriodicTaskNeeds {
  db: Db;
}

/** Bulk changes of monitors, and their undo. */
export const monitorBulkSlice: Slice<'monitorBulk', MonitorBulkNeeds, OpenedSlice> = {
  name: 'monitorBulk',
  idPrefixes: ['blk'],
  auditActions: ['monitor.bulk_changed', 'monitor.bulk_undone'],
  open(needs) {
    const store = createBulkStore(needs.db);
    const operations = { ...needs, store, yieldToEventLoop: () => yieldToEventLoop() };
    const runner = createBulkRunner(operations);
    const wake = () =>
      void runner.runOnce().catch((err: unknown) => {
        needs.logger.warn({ err }, 'failed to begin with a bulk change at once; the next tick retries');
      });
    return { routes: createBulkRoutes(operations, wake), jobs: [runner], ensureIndexes: store.ensureIndexes };
  },
};
