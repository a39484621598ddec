import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { AuditLog } from '../audit/audit.js';
import type { Pager } from '../http/paging.js';
import { createReferenceLock } from '../references/lock.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { Ids } from '../storage/ids.js';
import { createWindowCache, type WindowCache } from './covering/cache.js';
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
  clock: Clock;
}

/** Maintenance windows: planned work during which incidents notify nobody. */
export const maintenanceSlice: Slice<'maintenance', MaintenanceNeeds, OpenedSlice> = {
  name: 'maintenance',
  idPrefixes: ['mnt'],
  scopes: ['maintenance:read', 'maintenance:write'],
  auditActions: [
    'maintenance.created',
    'maintenance.updated',
    'maintenance.extended',
    'maintenance.ended',
    'maintenance.deleted',
  ],
  open({ db, records, pager, ...rest }) {
    const { store, past, cache } = records;
    const needs = { ...rest, store, past, cache, referenceLock: createReferenceLock(db) };
    return { routes: createWindowRoutes(needs, pager), referenceHolders: windowReferences(needs) };
  },
};
