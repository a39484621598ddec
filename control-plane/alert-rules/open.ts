import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import type { BlacklistDirectory, ListingListener } from '../blacklist/blacklist.js';
import { createListingIncidents } from '../blacklist/rules/listing-incidents.js';
import { createListingListener } from '../blacklist/rules/listing-listener.js';
import type { Pager } from '../http/paging.js';
import type { Route } from '../http/route.js';
import type { ListingMessages, RuleIncidents, ServerMessages } from '../incidents/incidents.js';
import { createDiskFullLook } from '../servers/rules/disk-full.js';
import { createDiskIncidents } from '../servers/rules/disk-incidents.js';
import { createMetricEvaluator } from '../servers/rules/evaluate.js';
import { createMetricIncidents } from '../servers/rules/metric-incidents.js';
import { createOfflineIncidents } from '../servers/rules/offline.js';
import { createServerFactsCache } from '../servers/rules/server-facts.js';
import { createStatusListener } from '../servers/rules/status-listener.js';
import type { MetricHistory, ReportListener, ServerDirectory, StatusListener } from '../servers/servers.js';
import type { Ids } from '../storage/ids.js';
import type { LeaseStore } from '../storage/lease-store.js';
import { createLeasedJob } from '../storage/leased-job.js';
import type { RunTransaction } from '../storage/transaction.js';
import type { ChannelIds, DefaultRules } from './alert-rules.js';
import { createDefaultRules } from './defaults.js';
import { createAlertRuleRoutes } from './routes.js';
import { createRuleCache } from './rule-cache.js';
import type { MetricOfSeries } from './settings.js';
import { createAlertRuleStore } from './store.js';
import { createSweep } from './sweep.js';
import { createResolveUnfounded } from './unfounded.js';

export interface AlertRulesDependencies {
  db: Db;
  runTransaction: RunTransaction;
  leases: LeaseStore;
  audit: AuditLog;
  pager: Pager;
  ids: Ids;
  clock: Clock;
  logger: Logger;
  owner: string;
  incidents: RuleIncidents;
  messages: ServerMessages;
  listingMessages: ListingMessages;
  channels: ChannelIds;
  servers: ServerDirectory;
  history: MetricHistory;
  blacklist: BlacklistDirectory;
  metricOfSeries: MetricOfSeries;
  systemActor(workspaceId: string): Actor;
}

export interface AlertRulesSlice extends DefaultRules {
  routes: Route[];
  reportListener: ReportListener;
  statusListener: StatusListener;
  listingListener: ListingListener;
  /** `evaluation` and `cache` belong to this process; the others are done by one control plane at a time. */
  jobs: { start(): void; stop(): Promise<void> }[];
  ensureIndexes(): Promise<void>;
  /** Resolves once every report that was accepted has been held against the rules. */
  idle(): Promise<void>;
  /** One look each, for tests; false when another control plane has the lease. */
  sweep(): Promise<boolean>;
  lookAtDisks(): Promise<boolean>;
}

const FAILURE = 'a look of alert rules failed; the next one tries again';
const SWEEP = { name: 'alert-rules-sweep', periodMs: 10_000, leaseMs: 30_000, failure: FAILURE };
const DISKS = { name: 'alert-rules-disks', periodMs: 300_000, leaseMs: 60_000, failure: FAILURE };

/** Builds rules, their endpoints and what holds servers and listings against them. Nothing runs before the jobs are started. */
export function createAlertRules(deps: AlertRulesDependencies): AlertRulesSlice {
  const { servers, incidents } = deps;
  const store = createAlertRuleStore(deps.db);
  const cache = createRuleCache({ ...deps, store });
  const facts = createServerFactsCache(deps);
  const shared = { ...deps, store, cache };
  const resolveUnfounded = createResolveUnfounded(shared);
  const context = { ...shared, resolveUnfounded };
  const evaluator = createMetricEvaluator({
    ...shared,
    facts,
    open: incidents,
    incidents: createMetricIncidents(shared),
  });
  const offline = createOfflineIncidents(deps);
  const listings = createListingIncidents(shared);
  const sweep = createLeasedJob(deps, { ...SWEEP, work: createSweep({ ...context, offline, listings }) });
  const look = createDiskFullLook({ ...shared, servers, open: incidents, incidents: createDiskIncidents(shared) });
  const disks = createLeasedJob(deps, { ...DISKS, work: look });
  return {
    routes: createAlertRuleRoutes(context, deps.pager),
    reportListener: evaluator,
    statusListener: createStatusListener({ ...context, offline, facts, evaluator }),
    listingListener: createListingListener({ listings, resolveUnfounded }),
    ...createDefaultRules(context),
    jobs: [cache, evaluator, sweep, disks],
    ensureIndexes: store.ensureIndexes,
    idle: evaluator.idle,
    sweep: async () => (await sweep.runOnce()) !== null,
    lookAtDisks: async () => (await disks.runOnce()) !== null,
  };
}
