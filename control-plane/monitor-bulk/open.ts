import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../../kernel/clock.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { LeasedPeriodicTaskNeeds } from '../storage/leases/leased-periodic-task.js';
import { createBulkRunner } from './applying/runner.js';
import type { BulkNeeds } from './needs.js';
import { createPlanningLimit } from './planning.js';
import { createBulkRoutes } from './routes.js';
import { type BulkStore, createBulkStore } from './store.js';

interface MonitorBulkNeeds extends Omit<BulkNeeds, 'store' | 'planning' | 'yieldToEventLoop'>, LeasedPeriodicTaskNeeds {
  db: Db;
  registry: Registry;
}

/** A change of 10,000 monitors takes less than a minute. */
const LATE_MS = 5 * 60_000;

/** Bulk changes of monitors, and their undo. */
export const monitorBulkSlice: Slice<'monitorBulk', MonitorBulkNeeds, OpenedSlice> = {
  name: 'monitorBulk',
  idPrefixes: ['blk'],
  auditActions: ['monitor.bulk_changed', 'monitor.bulk_undone'],
  open(needs) {
    const store = createBulkStore(needs.db);
    registerBulkMetrics(needs.registry, store, needs.clock);
    const planning = createPlanningLimit(needs);
    const operations = { ...needs, store, planning, yieldToEventLoop: () => yieldToEventLoop() };
    const runner = createBulkRunner(operations);
    const wake = () =>
      void runner.runOnce().catch((err: unknown) => {
        needs.logger.warn({ err }, 'failed to begin with a bulk change at once; the next tick retries');
      });
    return {
      routes: createBulkRoutes(operations, wake),
      backlogs: [{ name: 'bulk_changes', lateMs: LATE_MS, read: store.openJobs }],
      jobs: [runner],
      ensureIndexes: store.ensureIndexes,
    };
  },
};

/** So that a scrape stays cheap. */
const COUNTED_MAX = 1_000;

/** Both of the whole installation, thus the same on each control plane. */
function registerBulkMetrics(registry: Registry, store: Pick<BulkStore, 'openJobs'>, clock: Pick<Clock, 'now'>): void {
  const found = () => store.openJobs(COUNTED_MAX).catch(() => null);
  new Gauge({
    name: 'picket_monitor_bulk_open',
    help: 'Bulk changes of monitors, and undos, that are not written completely; NaN while unknown.',
    registers: [registry],
    async collect() {
      this.set((await found())?.waiting ?? Number.NaN);
    },
  });
  new Gauge({
    name: 'picket_monitor_bulk_oldest_open_seconds',
    help: 'Age of the oldest of these; 0 without one; NaN while unknown.',
    registers: [registry],
    async collect() {
      const open = await found();
      const ageMs = open?.oldestMs == null ? 0 : Math.max(0, clock.now() - open.oldestMs);
      this.set(open === null ? Number.NaN : ageMs / 1_000);
    },
  });
}
