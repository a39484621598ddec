import type { Db } from 'mongodb';
import type { Registry } from 'prom-client';
import type { Logger } from '../../kernel/logger.js';
import { loadCheckResultCodec } from '../../proto/load.js';
import type { Pager } from '../http/paging.js';
import type { UptimeMaintenance } from '../maintenance/maintenance.js';
import type { MonitorDirectory, MonitorReader } from '../monitors/monitors.js';
import type { AssignedSlots, LocationDirectory, RecordHandler } from '../nodes/nodes.js';
import { createPointsBudget } from '../retention/points-budget.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { DatabaseClock } from '../storage/clock/database-clock.js';
import type { LeaseStore } from '../storage/leases/lease-store.js';
import type { SetAside } from '../storage/writes/insert-new.js';
import { createLiveStore } from './live-store.js';
import { createLiveWrites } from './live-writes.js';
import { createResultMetrics } from './metrics.js';
import { createHoursReader, createMetricsReader, createSlotsReader } from './read-metrics.js';
import { createRecordResults } from './record.js';
import type { MonitorHours, QuarantineHistory } from './results.js';
import { arrivalMs } from './rollup/arrival.js';
import { createRollupJob } from './rollup/job.js';
import { createRollupStore } from './rollup/store.js';
import { createResultRoutes } from './routes.js';
import { stepsRoute } from './steps/routes.js';
import { createStepsReads } from './steps/store.js';
import { createResultsStore, type ResultsStore } from './store.js';
import { createUptimeJob } from './uptime/job.js';
import { createUptimeStore } from './uptime/store.js';
import { createWaitingStore } from './waiting-store.js';

/** The stored results. */
export interface ResultRecords extends OpenedSlice {
  results: ResultsStore;
}

export const resultRecordsSlice: Slice<'resultRecords', { db: Db; setAside: SetAside }, ResultRecords> = {
  name: 'resultRecords',
  open({ db, setAside }) {
    const results = createResultsStore(db, setAside);
    return { results, ensureIndexes: results.ensureIndexes };
  },
};

/** Results are rolled up every five minutes. */
const ROLLED_UP_LATE_MS = 12 * 60_000;

interface ResultsNeeds {
  db: Db;
  results: ResultsStore;
  /** Keeps the newest results that the database refuses for their content. */
  setAside: SetAside;
  monitors: MonitorReader;
  directory: MonitorDirectory;
  locations: LocationDirectory;
  /** Which monitors a probe may send results of. */
  assigned: AssignedSlots;
  quarantines: QuarantineHistory;
  /** The planned maintenance that does not count in uptime. */
  maintenance: UptimeMaintenance;
  /** Called with the monitors that have new results, once these are stored. */
  evaluate(monitorIds: readonly string[]): Promise<void>;
  /** Called with the certificates of stored results. Never rejects. */
  certificatesSeen(certificates: readonly { monitorId: string; fingerprint: string }[]): Promise<void>;
  leases: LeaseStore;
  /** Names this process in leases. */
  owner: string;
  pager: Pager;
  /** Of Prometheus metrics. */
  registry: Registry;
  clock: DatabaseClock;
  logger: Logger;
}

export interface Results extends OpenedSlice {
  /** Stores the check results that probes send. */
  recordResults: RecordHandler;
  hours: MonitorHours;
}

/** Results of checks: stored, rolled up into minutes, hours and uptime, and read. */
export const resultsSlice: Slice<'results', ResultsNeeds, Results> = {
  name: 'results',
  open(needs) {
    const store = createRollupStore(needs.db);
    const uptimes = createUptimeStore(needs.db);
    const shared = { ...needs, store, uptimes };
    const readSlots = createSlotsReader(shared);
    const budget = createPointsBudget(needs.clock);
    const live = createLiveWrites({
      ...needs,
      ...{ live: createLiveStore(needs.db, needs.setAside), waiting: createWaitingStore(needs.db) },
    });
    return {
      recordResults: createRecordResults({
        ...needs,
        codec: loadCheckResultCodec(),
        live,
        metrics: createResultMetrics(needs.registry),
      }),
      hours: createHoursReader(readSlots),
      routes: [
        ...createResultRoutes({ ...needs, readMetrics: createMetricsReader(readSlots), budget }),
        stepsRoute({ steps: createStepsReads(needs.db), budget, clock: needs.clock }),
      ],
      backlogs: [
        {
          ...{ name: 'results', lateMs: ROLLED_UP_LATE_MS },
          async read(countMax) {
            const done = await store.watermark();
            const first = await needs.results.arrived(done, 1, () => {});
            if (first.count === 0) return { waiting: 0, oldestMs: null };
            const { count } = await needs.results.arrived(done, countMax, () => {});
            return { waiting: count, oldestMs: arrivalMs(first.last) };
          },
        },
      ],
      jobs: [live, createRollupJob(shared), createUptimeJob(shared)],
      async ensureIndexes() {
        await Promise.all([store.ensureIndexes(), uptimes.ensureIndexes()]);
      },
    };
  },
};
