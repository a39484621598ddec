import { Registry } from 'prom-client';
import type { BlacklistMonitorDocument } from '../../../control-plane/blacklist/documents.js';
import { type Catalogue, readProviders } from '../../../control-plane/blacklist/lists/providers.js';
import {
  type BlacklistRecords,
  blacklistRecordsSlice,
  blacklistSlice,
  type OpenBlacklist,
} from '../../../control-plane/blacklist/open.js';
import type { PlanName } from '../../../control-plane/plans/plans.js';
import { createReferences } from '../../../control-plane/references/references.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import { createLeaseStore } from '../../../control-plane/storage/leases/lease-store.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { createTimelineStore } from '../../../control-plane/timeline/store.js';
import { type Clock, systemClock } from '../../../kernel/clock.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { startApp, type TestApp } from '../app.js';
import { testDatabase } from '../database.js';
import { allWork } from '../standing.js';

/** The blacklist API on a real database. It records the calls to the alert rules. */
export interface BlacklistApp extends TestApp, Omit<BlacklistRecords, 'ensureIndexes'> {
  mongo: Mongo;
  catalogue: Catalogue;
  gone: BlacklistMonitorDocument[];
  /** The workspaces of all calls that ensure the default rule. */
  defaultRules: string[];
  stop(): Promise<void>;
}

export interface BlacklistAppOptions {
  plan?: PlanName;
  clock?: Clock;
  /** Adds a control plane on the same database. */
  beside?: BlacklistApp;
  catalogue?: Catalogue;
  /** The servers for all lookups. Without them, no lookup works. */
  dnsServers?: string[];
  /** Whether the periodic tasks run: checks of monitors, tests of lists and exchange of limits. Defaults to false. */
  jobs?: boolean;
}

const ids = createIds(systemClock, systemRandom);
/** Nothing listens on this port. */
const NO_SERVER = '127.0.0.1:9';

export async function startBlacklistApp(options: BlacklistAppOptions = {}): Promise<BlacklistApp> {
  const { plan = 'Enterprise', clock = systemClock, dnsServers = [NO_SERVER] } = options;
  const own = options.beside === undefined ? await testDatabase() : null;
  const mongo = own ?? options.beside?.mongo;
  if (mongo === undefined) throw new Error('no database');
  const catalogue = options.catalogue ?? readProviders({ file: null, keys: new Map() });
  const data = blacklistRecordsSlice.open({ db: mongo.db });
  const timeline = createTimelineStore(mongo.db, ids);
  await Promise.all([data.ensureIndexes(), timeline.ensureIndexes()]);
  const seen = { gone: [] as BlacklistMonitorDocument[], defaultRules: [] as string[] };
  const jobs: OpenBlacklist['jobs'] = [];
  const app = await startApp({
    ...{ mongo, plan, clock },
    routes(parts) {
      const blacklist = blacklistSlice.open({
        ...parts,
        ...{ db: mongo.db, records: data, catalogue, dnsServers, timeline, clock },
        listener: {
          async checked() {},
          deleted: async (_tx, _actor, monitor) => void seen.gone.push(monitor),
        },
        references: createReferences(mongo.db, () => []),
        ensureDefaultRule: async (_tx, actor) => void seen.defaultRules.push(actor.workspaceId),
        planOf: async () => plan,
        standingOf: allWork,
        registry: new Registry(),
        leases: createLeaseStore(mongo.db),
        owner: ids.next('job'),
        logger: createLogger({ name: 'test', level: 'silent' }),
      });
      if (options.jobs === true) jobs.push(...blacklist.jobs);
      return blacklist.routes;
    },
  });
  for (const job of jobs) job.start();
  return {
    ...app,
    ...seen,
    ...data,
    ...{ mongo, catalogue },
    async stop() {
      await app.close();
      for (const job of jobs) await job.stop();
      await own?.drop();
    },
  };
}
