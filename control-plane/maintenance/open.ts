import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import type { AuditLog } from '../audit/audit.js';
import { createGuessLimit } from '../http/limits/guess-limit.js';
import { createRateLimitStore } from '../http/limits/rate-limit-store.js';
import type { Pager } from '../http/paging.js';
import type { StandingOf } from '../plans/cache.js';
import { createReferenceLock } from '../references/lock.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { Ids } from '../storage/ids.js';
import { createWindowCache, type WindowCache } from './covering/cache.js';
import { createEndFeeds } from './feed/operations.js';
import { createFeedRoutes } from './feed/routes.js';
import { createFeedStore } from './feed/store.js';
import type { Maintenance, UptimeMaintenance } from './maintenance.js';
import type { Existing } from './needs.js';
import { windowReferences } from './references.js';
import { createWindowRoutes } from './routes.js';
import { createWindowStore, type WindowStore } from './store.js';
import { createPastWindowStore, type PastWindowStore } from './uptime/past-store.js';

/** The stored windows, and what they cover. */
export interface MaintenanceRecords extends OpenedSlice, Maintenance, UptimeMaintenance {
  store: WindowStore;
  past: PastWindowStore;
  cache: WindowCache;
}

interface MaintenanceRecordsNeeds {
  db: Db;
  clock: Clock;
  logger: Logger;
}

export const maintenanceRecordsSlice: Slice<'maintenanceRecords', MaintenanceRecordsNeeds, MaintenanceRecords> = {
  name: 'maintenanceRecords',
  open({ db, clock, logger }) {
    const store = createWindowStore(db);
    const past = createPastWindowStore(db);
    const cache = createWindowCache({ store, past, clock, logger });
    const { covering, leftOut, refresh } = cache;
    return {
      store,
      past,
      cache,
      covering,
      leftOut,
      refresh,
      jobs: [cache],
      async ensureIndexes() {
        await Promise.all([store.ensureIndexes(), past.ensureIndexes()]);
      },
      ready: cache.ready,
    };
  },
};

interface MaintenanceNeeds {
  db: Db;
  records: MaintenanceRecords;
  existingMonitors: Existing;
  existingServers: Existing;
  audit: AuditLog;
  pager: Pager;
  ids: Ids;
  /** Without a slash at the end. */
  publicUrl: string;
  standingOf: StandingOf;
  clock: Clock;
  random: Random;
  logger: Logger;
}

/** Maintenance windows: planned work during which incidents notify nobody. */
export const maintenanceSlice: Slice<'maintenance', MaintenanceNeeds, OpenedSlice> = {
  name: 'maintenance',
  idPrefixes: ['mnt', 'mfd'],
  scopes: ['maintenance:read', 'maintenance:write'],
  auditActions: [
    'maintenance.created',
    'maintenance.updated',
    'maintenance.extended',
    'maintenance.ended',
    'maintenance.deleted',
    'maintenance.feed_created',
    'maintenance.feed_revoked',
  ],
  open({ db, records, pager, ...rest }) {
    const { store, past, cache } = records;
    const needs = { ...rest, store, past, cache, referenceLock: createReferenceLock(db) };
    const feeds = createFeedStore(db);
    const guesses = createGuessLimit({ ...rest, what: 'calendar feed address', store: createRateLimitStore(db) });
    return {
      routes: [...createWindowRoutes(needs, pager), ...createFeedRoutes({ ...needs, feeds, guesses })],
      referenceHolders: windowReferences(needs),
      memberAccess: [{ name: 'calendar_feeds_revoked', end: createEndFeeds(feeds) }],
      jobs: [guesses],
      ensureIndexes: feeds.ensureIndexes,
    };
  },
};
