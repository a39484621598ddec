import type { Db } from 'mongodb';
import type { Registry } from 'prom-client';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { PlanName } from '../accounts/plans.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import type { Pager } from '../http/paging.js';
import { createRateCounter } from '../http/rate-counter.js';
import { createRateLimitStore } from '../http/rate-limit-store.js';
import type { Route } from '../http/route.js';
import type { Timeline } from '../incidents/incidents.js';
import type { Ids } from '../storage/ids.js';
import type { LeaseStore } from '../storage/lease-store.js';
import type { RunTransaction, Transaction } from '../storage/transaction.js';
import type { CheckTarget, ListingListener } from './blacklist.js';
import { createCheckMonitor } from './check-monitor.js';
import { createCheckTarget } from './check-target.js';
import { type BlacklistChecksStore, createBlacklistChecksStore } from './checks-store.js';
import { createDnsClient } from './dns-client.js';
import { createHistoryRoute } from './history-route.js';
import { createInstantCheck } from './instant-check.js';
import { createInstantCheckRoute } from './instant-check-route.js';
import { createListTests, logListChanges } from './list-tests.js';
import { createBlacklistMetrics } from './metrics.js';
import { createMonitorJob } from './monitor-job.js';
import type { Catalogue } from './providers.js';
import { createProvidersRoute } from './providers-route.js';
import { createBlacklistMonitorRoutes } from './routes.js';
import { createSharedChecksStore, type SharedChecksStore } from './shared-checks-store.js';
import { type BlacklistMonitorStore, createBlacklistMonitorStore } from './store.js';
import { createZoneTests } from './zone-tests.js';

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
