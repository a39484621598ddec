import type { Db } from 'mongodb';
import type { Registry } from 'prom-client';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { PlanName } from '../accounts/plans.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import { createRateCounter } from '../http/limits/rate-counter.js';
import { createRateLimitStore } from '../http/limits/rate-limit-store.js';
import type { Pager } from '../http/paging.js';
import type { Route } from '../http/route.js';
import type { Timeline } from '../incidents/incidents.js';
import type { Ids } from '../storage/ids.js';
import type { LeaseStore } from '../storage/lease-store.js';
import type { RunTransaction, Transaction } from '../storage/transaction.js';
import type { CheckTarget, ListingListener } from './blacklist.js';
import { createInstantCheck } from './instant-check/instant-check.js';
import { createInstantCheckRoute } from './instant-check/route.js';
import { createSharedChecksStore, type SharedChecksStore } from './instant-check/shared-checks-store.js';
import { createListTests, logListChanges } from './lists/list-tests.js';
import type { Catalogue } from './lists/providers.js';
import { createProvidersRoute } from './lists/providers-route.js';
import { createZoneTests } from './lists/zone-tests.js';
import { createCheckTarget } from './lookup/check-target.js';
import { createDnsClient } from './lookup/dns-client.js';
import { createBlacklistMetrics } from './metrics.js';
import { createCheckMonitor } from './monitoring/check-monitor.js';
import { type BlacklistChecksStore, createBlacklistChecksStore } from './monitoring/checks-store.js';
import { createHistoryRoute } from './monitoring/history-route.js';
import { createMonitorJob } from './monitoring/job.js';
import { createBlacklistMonitorRoutes } from './routes.js';
import { type BlacklistMonitorStore, createBlacklistMonitorStore } from './store.js';

export interface BlacklistData {
  store: BlacklistMonitorStore;
  checks: BlacklistChecksStore;
  shared: SharedChecksStore;
  ensureIndexes(): Promise<void>;
}

/** The collections of the slice. Alert rules read monitors before the slice, which needs the rules, is put together. */
export function openBlacklistData(db: Db): BlacklistData {
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

export interface OpenBlacklist {
  routes: Route[];
  jobs: { start(): void; stop(): Promise<void> }[];
}

/** Blacklists: instant checks, monitors, and the tests of the lists. Nothing runs before the jobs are started. */
export function openBlacklist(dependencies: {
  db: Db;
  data: BlacklistData;
  catalogue: Catalogue;
  /** Empty: those of the system. */
  dnsServers: readonly string[];
  listener: ListingListener;
  ensureDefaultRule(tx: Transaction, actor: Actor): Promise<void>;
  timeline: Timeline;
  planOf(workspaceId: string): Promise<PlanName | null>;
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
}): OpenBlacklist {
  const { data, catalogue, registry, clock, logger } = dependencies;
  const dns = createDnsClient({ servers: dependencies.dnsServers, clock });
  const zoneTests = createZoneTests({ catalogue, dns, clock, onChange: logListChanges(logger) });
  const metrics = createBlacklistMetrics(registry, zoneTests);
  const look = createCheckTarget({ catalogue, dns, zoneTests, clock });
  const checkTarget: CheckTarget = async (target, how) => {
    const check = await look(target, how);
    metrics.checked(check);
    return check;
  };
  const lists = new Map(catalogue.providers.map((provider) => [provider.id, provider]));
  const counter = createRateCounter({ store: createRateLimitStore(dependencies.db), clock, logger });
  const shared = { ...dependencies, ...data, lists, checkTarget };
  return {
    routes: [
      createProvidersRoute({ ...dependencies, providers: catalogue.providers, zoneTests }),
      createInstantCheckRoute({
        check: createInstantCheck({ ...shared, catalogueDigest: catalogue.digest, counter }),
        lists,
      }),
      ...createBlacklistMonitorRoutes({ ...shared, context: shared }),
      createHistoryRoute(shared),
    ],
    jobs: [
      counter,
      createListTests({ zoneTests, clock, logger }),
      createMonitorJob({ ...shared, checkMonitor: createCheckMonitor(shared) }),
    ],
  };
}
