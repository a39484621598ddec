import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { AuditLog } from '../audit/audit.js';
import type { Pager } from '../http/paging.js';
import { createReferenceLock } from '../references/lock.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { Ids } from '../storage/ids.js';
import { createWindowCache, type WindowCache } from './covering/cache.js';
import type { Maintenance } from './maintenance.js';
import type { Existing } from './needs.js';
import { windowReferences } from './references.js';
import { createWindowRoutes } from './routes.js';
import { createWindowStore, type WindowStore } from './store.js';

/** The stored windows, and what they cover. */
export interface MaintenanceRecords extends OpenedSlice, Maintenance {
  store: WindowStore;
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
    const cache = createWindowCache({ store, clock, logger });
    return {
      ...{ store, cache, covering: cache.covering, refresh: cache.refresh },
      jobs: [cache],
      ensureIndexes: store.ensureIndexes,
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
    const needs = { ...rest, store: records.store, cache: records.cache, referenceLock: createReferenceLock(db) };
    return { routes: createWindowRoutes(needs, pager), referenceHolders: windowReferences(needs) };
  },
};
