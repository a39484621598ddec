import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { loadCheckResultCodec } from '../../proto/load.js';
import type { Pager } from '../http/paging.js';
import type { Route } from '../http/route.js';
import type { OpenMonitors } from '../monitors/open.js';
import type { LocationDirectory, RecordHandler } from '../nodes/nodes.js';
import type { LeaseStore } from '../storage/lease-store.js';
import { type BacktestContext, createBacktest } from '../verdicts/backtest/backtest.js';
import { backtestRoute } from '../verdicts/backtest/route.js';
import type { OpenVerdicts } from '../verdicts/open.js';
import { createLiveStore } from './live-store.js';
import { createMetricsReader } from './read-metrics.js';
import { createRecordResults } from './record.js';
import { createRollupJob } from './rollup/job.js';
import { createRollupStore } from './rollup/store.js';
import { createHistoryRoutes } from './routes.js';
import { createResultsStore } from './store.js';
import { createUptimeJob } from './uptime/job.js';
import { createUptimeStore } from './uptime/store.js';

export interface OpenHistory {
  recordResults: RecordHandler;
  routes: Route[];
  jobs: { start(): void; stop(): Promise<void> }[];
  ensureIndexes(): Promise<void>;
}

/** Results: taken in, rolled up, read. */
export function openHistory(parts: {
  foundation: { mongo: { db: Db }; leases: LeaseStore; owner: string; pager: Pager; clock: Clock; logger: Logger };
  locations: LocationDirectory;
  monitors: OpenMonitors;
  verdicts: Pick<OpenVerdicts, 'evaluator' | 'quarantines'>;
  incidents: BacktestContext['incidents'];
  breathe(): Promise<void>;
}): OpenHistory {
  const { monitors, verdicts, locations, incidents, breathe } = parts;
  const { mongo, leases, owner, pager, clock, logger } = parts.foundation;
  const { directory } = monitors;
  const results = createResultsStore(mongo.db);
  const live = createLiveStore(mongo.db);
  const store = createRollupStore(mongo.db);
  const uptimes = createUptimeStore(mongo.db);
  const { quarantines } = verdicts;
  const shared = { store, results, uptimes, quarantines, directory, leases, owner, clock, logger };
  const readMetrics = createMetricsReader({ store, results, quarantines });
  const backtest = createBacktest({ monitors: monitors.store, results, incidents, breathe });
  return {
    recordResults: createRecordResults({
      codec: loadCheckResultCodec(),
      directory,
      results,
      live,
      evaluate: (monitorIds) => verdicts.evaluator.evaluate(monitorIds),
      logger,
    }),
    routes: [
      ...createHistoryRoutes({ monitors: monitors.store, results, readMetrics, locations, pager, clock }),
      backtestRoute(backtest),
    ],
    jobs: [createRollupJob(shared), createUptimeJob(shared)],
    async ensureIndexes() {
      await Promise.all([results.ensureIndexes(), store.ensureIndexes(), uptimes.ensureIndexes()]);
    },
  };
}
