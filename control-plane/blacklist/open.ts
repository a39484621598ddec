import type { Db } from 'mongodb';
import type { Registry } from 'prom-client';
import type { Clock } from '../../kernel/clock.js';
import { createDnsClient } from '../../kernel/dns/dns-client.js';
import { createBlockedLog } from '../../kernel/guard/blocked-log.js';
import type { Logger } from '../../kernel/logger.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import { createRateCounter } from '../http/limits/rate-counter.js';
import { createRateLimitStore } from '../http/limits/rate-limit-store.js';
import type { Pager } from '../http/paging.js';
import type { Route } from '../http/route.js';
import type { StandingOf } from '../plans/cache.js';
import type { PlanName } from '../plans/plans.js';
import { countedQuota } from '../plans/quotas.js';
import type { References } from '../references/references.js';
import type { Job, OpenedSlice, Slice } from '../slice.js';
import type { Ids } from '../storage/ids.js';
import type { LeaseStore } from '../storage/leases/lease-store.js';
import type { RunTransaction, Transaction } from '../storage/transaction.js';
import type { Timeline } from '../timeline/timeline.js';
import type { ListingListener } from './blacklist.js';
import { createInstantCheck } from './instant-check/check.js';
import { createInstantCheckRoute } from './instant-check/route.js';
import { createSharedChecksStore, type SharedChecksStore } from './instant-check/shared-checks-store.js';
import type { Catalogue } from './lists/providers.js';
import { createProvidersRoute } from './lists/providers-route.js';
import { createZoneTestJob, logListChanges } from './lists/zone-test-job.js';
import { createZoneTests } from './lists/zone-tests.js';
import { createCheckTarget } from './lookup/check-target.js';
import { createBlacklistMetrics } from './metrics.js';
import { createCheckMonitor } from './monitoring/check-monitor.js';
import { type BlacklistChecksStore, createBlacklistChecksStore } from './monitoring/checks-store.js';
import { createHistoryRoute } from './monitoring/history-route.js';
import { createMonitorJob } from './monitoring/job.js';
import type { CheckTarget } from './results.js';
import { createBlacklistMonitorRoutes } from './routes.js';
import { type BlacklistMonitorStore, createBlacklistMonitorStore } from './store.js';

/** The stored blacklist monitors and their checks. */
export interface BlacklistRecords extends OpenedSlice {
  store: BlacklistMonitorStore;
  checks: BlacklistChecksStore;
  shared: SharedChecksStore;
  ensureIndexes(): Promise<void>;
}

function openBlacklistRecords({ db }: { db: Db }): BlacklistRecords {
  const store = createBlacklistMonitorStore(db);
  const checks = createBlacklistChecksStore(db);
  const shared = createSharedChecksStore(db);
  return {
    ...{ store, checks, shared },
    async ensureIndexes() {
      await Promise.all([store.ensureIndexes(), checks.ensureIndexes(), shared.ensureIndexes()]);
    },
  };
}

export const blacklistRecordsSlice = {
  name: 'blacklistRecords',
  idPrefixes: ['blm', 'blc'],
  open: openBlacklistRecords,
} satisfies Slice<'blacklistRecords', { db: Db }, BlacklistRecords>;

export interface BlacklistNeeds {
  db: Db;
  records: BlacklistRecords;
  /** The lists, as `readProviders` reads them. */
  catalogue: Catalogue;
  /** Resolvers of lookups; empty: those of the system. */
  dnsServers: readonly string[];
  listener: ListingListener;
  /** Creates the default alert rule with the first monitor of a workspace. */
  ensureDefaultRule(tx: Transaction, actor: Actor): Promise<void>;
  references: References;
  timeline: Timeline;
  planOf(workspaceId: string): Promise<PlanName | null>;
  standingOf: StandingOf;
  registry: Registry;
  runTransaction: RunTransaction;
  audit: AuditLog;
  leases: LeaseStore;
  /** Names this process in leases. */
  owner: string;
  pager: Pager;
  ids: Ids;
  clock: Clock;
  logger: Logger;
}

export interface OpenBlacklist extends OpenedSlice {
  routes: Route[];
  jobs: Job[];
}

/** Opens instant checks, blacklist monitors and the tests of the lists. */
function openBlacklist(needs: BlacklistNeeds): OpenBlacklist {
  const { records, catalogue, registry, clock, logger } = needs;
  const dns = createDnsClient({ servers: needs.dnsServers, clock });
  const zoneTests = createZoneTests({ catalogue, dns, clock, onChange: logListChanges(logger) });
  const metrics = createBlacklistMetrics(registry, zoneTests);
  const check = createCheckTarget({ catalogue, dns, zoneTests, clock, logBlocked: createBlockedLog(logger, clock) });
  const checkTarget: CheckTarget = async (target, how) => {
    const result = await check(target, how);
    metrics.checked(result);
    return result;
  };
  const lists = new Map(catalogue.providers.map((provider) => [provider.id, provider]));
  const counter = createRateCounter({
    ...{ store: createRateLimitStore(needs.db), exchangedFrom: 1, clock, logger },
  });
  const shared = { ...needs, ...records, lists, checkTarget };
  return {
    routes: [
      createProvidersRoute({ ...needs, providers: catalogue.providers, zoneTests }),
      createInstantCheckRoute({
        check: createInstantCheck({ ...shared, catalogueDigest: catalogue.digest, counter }),
        lists,
      }),
      ...createBlacklistMonitorRoutes({ ...shared, operations: shared }),
      createHistoryRoute(shared),
    ],
    quotas: [
      countedQuota({
        ...{ name: 'blacklist_monitors', label: 'blacklist monitors', things: records.store.named },
        limit: ({ blacklistMonitors }) => blacklistMonitors,
      }),
    ],
    jobs: [
      counter,
      createZoneTestJob({ zoneTests, clock, logger }),
      createMonitorJob({ ...shared, checkMonitor: createCheckMonitor(shared) }),
    ],
  };
}

/** DNS blacklists: instant checks, monitors and their history. */
export const blacklistSlice = {
  name: 'blacklist',
  scopes: ['blacklist:read', 'blacklist:write'],
  auditActions: ['blacklist_monitor.created', 'blacklist_monitor.updated', 'blacklist_monitor.deleted'],
  open: openBlacklist,
} satisfies Slice<'blacklist', BlacklistNeeds, OpenBlacklist>;
