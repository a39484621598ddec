import type { Db } from 'mongodb';
import { shownUrl } from '../../kernel/urls/shown-url.js';
import type { Pager } from '../http/paging.js';
import type { WorkspacePlans } from '../plans/plans.js';
import type { TermsChanges } from '../plans/standing.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { LeasedPeriodicTaskNeeds } from '../storage/leases/leased-periodic-task.js';
import type { SecretBox } from '../storage/secret-box.js';
import type { RunTransaction } from '../storage/transaction.js';
import { createMonitorChanges, type MonitorChanges } from './directory/changes-store.js';
import { createMonitorDirectory } from './directory/directory.js';
import { createBulkMonitors } from './many/bulk.js';
import { channelReferences } from './many/channel-references.js';
import { createManyMonitors } from './many/many.js';
import type { BulkMonitors, ManyMonitors, MonitorDirectory } from './monitors.js';
import type { MonitorNeeds } from './needs.js';
import { createMonitorRoutes } from './routes.js';
import { sealStoredMonitors } from './secrets/seal-stored.js';
import { createMonitorSecrets, type MonitorSecrets } from './secrets/secrets.js';
import { createUnsealedMonitors } from './secrets/unsealed-store.js';
import { createMonitorStore, type MonitorStore } from './store.js';
import { createTermsJob } from './terms/job.js';
import { monitorQuotas } from './terms/quotas.js';

interface MonitorRecordsNeeds extends LeasedPeriodicTaskNeeds {
  db: Db;
  /** By which results are kept. */
  plans: WorkspacePlans;
  terms: TermsChanges;
  runTransaction: RunTransaction;
  box: SecretBox;
}

/** The stored monitors, and all of them in memory. */
export interface MonitorRecords extends OpenedSlice {
  store: MonitorStore;
  secrets: MonitorSecrets;
  changes: MonitorChanges;
  directory: MonitorDirectory;
  /** Returns how notifications name monitors, by id. URLs are masked; monitors that no longer exist are left out. */
  summaries(
    workspaceId: string,
    ids: readonly string[],
  ): Promise<Map<string, { id: string; name: string; url: string; type: string }>>;
}

export const monitorRecordsSlice: Slice<'monitorRecords', MonitorRecordsNeeds, MonitorRecords> = {
  name: 'monitorRecords',
  idPrefixes: ['mon'],
  open(needs) {
    const store = createMonitorStore(needs.db);
    const secrets = createMonitorSecrets(needs);
    const changes = createMonitorChanges(needs.db);
    const directory = createMonitorDirectory({ ...needs, store, secrets, changes });
    const terms = createTermsJob({ ...needs, store, changes, refresh: directory.refresh });
    return {
      ...{ store, secrets, changes, directory },
      async summaries(workspaceId, ids) {
        const found = await store.findNames(workspaceId, ids);
        return new Map(
          found.map(({ _id: id, name, url, type }) => [id, { id, name, url: shownUrl(url), type }] as const),
        );
      },
      quotas: monitorQuotas(store),
      jobs: [{ start: () => {}, stop: directory.stop }, terms],
      async ready() {
        await sealStoredMonitors({ ...needs, secrets, unsealed: createUnsealedMonitors(needs.db) });
        directory.start();
        await directory.ready();
      },
      async ensureIndexes() {
        await Promise.all([store.ensureIndexes(), changes.ensureIndexes()]);
      },
    };
  },
};

interface MonitorsNeeds extends Omit<MonitorNeeds, keyof MonitorRecords> {
  records: MonitorRecords;
  pager: Pager;
}

export interface Monitors extends OpenedSlice {
  /** What export and import use. */
  bulk: BulkMonitors;
  /** What bulk changes use. */
  many: ManyMonitors;
}

/** Settings of monitors, and their API. */
export const monitorsSlice: Slice<'monitors', MonitorsNeeds, Monitors> = {
  name: 'monitors',
  scopes: ['monitors:read', 'monitors:write'],
  auditActions: [
    'monitor.created',
    'monitor.updated',
    'monitor.deleted',
    'monitor.paused',
    'monitor.resumed',
    'monitor.secrets_read',
  ],
  open({ records, pager, ...needs }) {
    const { store, secrets, changes, directory } = records;
    const operations = { ...needs, store, secrets, changes, directory };
    return {
      bulk: createBulkMonitors(operations),
      many: createManyMonitors(operations),
      routes: createMonitorRoutes(operations, pager),
      referenceHolders: [channelReferences(operations)],
    };
  },
};
