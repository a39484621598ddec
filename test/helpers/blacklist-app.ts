import { Registry } from 'prom-client';
import type { PlanName } from '../../control-plane/accounts/plans.js';
import type { ListResult } from '../../control-plane/blacklist/blacklist.js';
import type { BlacklistMonitorDocument, CheckDocument, Listing } from '../../control-plane/blacklist/documents.js';
import {
  type BlacklistData,
  type OpenBlacklist,
  openBlacklist,
  openBlacklistData,
} from '../../control-plane/blacklist/open-blacklist.js';
import { type Catalogue, readProviders } from '../../control-plane/blacklist/providers.js';
import { createTimelineStore } from '../../control-plane/incidents/timeline-store.js';
import { createIds } from '../../control-plane/storage/ids.js';
import { createLeaseStore } from '../../control-plane/storage/lease-store.js';
import type { Mongo } from '../../control-plane/storage/mongo.js';
import { type Clock, systemClock } from '../../kernel/clock.js';
import { createLogger } from '../../kernel/logger.js';
import { systemRandom } from '../../kernel/random.js';
import { startApp, type TestApp } from './app.js';
import { testDatabase } from './database.js';

/** The blacklists' API on a real database, with what the alert rules were told written down. */
export interface BlacklistApp extends TestApp, Omit<BlacklistData, 'ensureIndexes'> {
  mongo: Mongo;
  catalogue: Catalogue;
  gone: BlacklistMonitorDocument[];
  /** Workspaces that were given their rule, as often as it was asked for. */
  defaultRules: string[];
  stop(): Promise<void>;
}

export interface BlacklistAppOptions {
  plan?: PlanName;
  clock?: Clock;
  /** A second control plane on the same database. */
  beside?: BlacklistApp;
  catalogue?: Catalogue;
  /** Asked for everything; without them nothing can be looked up. */
  dnsServers?: string[];
  /** Whether monitors are checked, lists are tested and limits exchanged in the background; false by default. */
  jobs?: boolean;
}

const ids = createIds(systemClock, systemRandom);
/** Nobody listens there. */
const NO_SERVER = '127.0.0.1:9';

export async function startBlacklistApp(options: BlacklistAppOptions = {}): Promise<BlacklistApp> {
  const { plan = 'Enterprise', clock = systemClock, dnsServers = [NO_SERVER] } = options;
  const own = options.beside === undefined ? await testDatabase() : null;
  const mongo = own ?? options.beside?.mongo;
  if (mongo === undefined) throw new Error('no database');
  const catalogue = options.catalogue ?? readProviders({ file: null, keys: new Map() });
  const data = openBlacklistData(mongo.db);
  const timeline = createTimelineStore(mongo.db, ids);
  await Promise.all([data.ensureIndexes(), timeline.ensureIndexes()]);
  const seen = { gone: [] as BlacklistMonitorDocument[], defaultRules: [] as string[] };
  const jobs: OpenBlacklist['jobs'] = [];
  const app = await startApp({
    ...{ mongo, plan, clock },
    routes(parts) {
      const blacklist = openBlacklist({
        ...parts,
        ...{ db: mongo.db, data, catalogue, dnsServers, timeline, clock },
        listener: {
          async checked() {},
          deleted: async (_tx, _actor, monitor) => void seen.gone.push(monitor),
        },
        ensureDefaultRule: async (_tx, actor) => void seen.defaultRules.push(actor.workspaceId),
        planOf: async () => plan,
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

/** A monitor as it is stored, not checked yet. */
export function monitorOf(options: Partial<BlacklistMonitorDocument> = {}): BlacklistMonitorDocument {
  const nowMs = Date.now();
  return {
    _id: ids.next('blm'),
    workspace_id: 'ws_none',
    target: 'mail.example.com',
    type: 'domain',
    frequency: 'daily',
    next_at_ms: nowMs + 3_600_000,
    listings: [],
    last: null,
    results: [],
    not_asked: [],
    checks: 0,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    version: 1,
    ...options,
  };
}

export function listingOf(options: Partial<Listing> = {}): Listing {
  const evidence = { at_ms: Date.now(), codes: ['127.0.0.2'], reason: null };
  return {
    provider: 'spamhaus-zen',
    provider_name: 'Spamhaus ZEN',
    zone: 'zen.spamhaus.org',
    codes: ['127.0.0.2'],
    meanings: ['SBL'],
    policy: false,
    reason: null,
    delist_url: 'https://check.spamhaus.org/',
    addresses: [],
    listed_since_ms: Date.now(),
    seen_at_ms: Date.now(),
    evidence: { first: evidence, confirmed: evidence, tested: true },
    ...options,
  };
}

export function resultOf(options: Partial<ListResult> = {}): ListResult {
  return {
    provider: 'spamhaus-zen',
    status: 'clean',
    codes: [],
    meanings: [],
    policy: false,
    reason: null,
    response_time_ms: 1.25,
    tested: true,
    delist_url: 'https://check.spamhaus.org/',
    addresses: [],
    ...options,
  };
}

/** A check of that monitor with one clean result, as it is stored. */
export function checkOf(monitor: BlacklistMonitorDocument, options: Partial<CheckDocument> = {}): CheckDocument {
  const { checked_at_ms = Date.now() } = options;
  return {
    _id: ids.next('blc'),
    workspace_id: monitor.workspace_id,
    monitor_id: monitor._id,
    checked_at_ms,
    ...{ score: 100, rating: 'excellent', listed: 0, clean: 1, responding: 1, asked: 1 },
    results: [resultOf()],
    changes: [],
    expires_at: new Date(checked_at_ms + 86_400_000),
    ...options,
  };
}
