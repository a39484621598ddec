import type { Actor } from '../../../control-plane/actor.js';
import { platformActor } from '../../../control-plane/actor.js';
import { alertRulesSlice } from '../../../control-plane/alert-rules/open.js';
import { createAuditStore } from '../../../control-plane/audit/store.js';
import type { BackupJobListener } from '../../../control-plane/backup-jobs/backup-jobs.js';
import { backupRulesSlice } from '../../../control-plane/backup-jobs/rules/open.js';
import { missedType } from '../../../control-plane/backup-jobs/rules/rule-type.js';
import { type BackupJobStore, createBackupJobStore } from '../../../control-plane/backup-jobs/store.js';
import type { ListingListener } from '../../../control-plane/blacklist/blacklist.js';
import { createBlacklistChecksStore } from '../../../control-plane/blacklist/monitoring/checks-store.js';
import { listingRulesSlice } from '../../../control-plane/blacklist/rules/open.js';
import { listedType } from '../../../control-plane/blacklist/rules/rule-type.js';
import { type BlacklistMonitorStore, createBlacklistMonitorStore } from '../../../control-plane/blacklist/store.js';
import type { Route } from '../../../control-plane/http/route.js';
import { incidentRoutes } from '../../../control-plane/incidents/routes.js';
import { createIncidents } from '../../../control-plane/incidents/service.js';
import { createIncidentStore } from '../../../control-plane/incidents/store.js';
import type { Maintenance } from '../../../control-plane/maintenance/maintenance.js';
import type { AgentReception } from '../../../control-plane/nodes/nodes.js';
import type { ServerStatus } from '../../../control-plane/servers/documents.js';
import { openServerRecords } from '../../../control-plane/servers/records.js';
import { serverRulesSlice } from '../../../control-plane/servers/rules/open.js';
import { SERVER_RULE_TYPES } from '../../../control-plane/servers/rules/rule-types.js';
import type { AcceptedSample, StatusListener } from '../../../control-plane/servers/servers.js';
import { createStatusChanges } from '../../../control-plane/servers/status.js';
import type { Job } from '../../../control-plane/slice.js';
import { VERDICT_TRANSACTION } from '../../../control-plane/storage/deadlines.js';
import { createLeaseStore } from '../../../control-plane/storage/leases/lease-store.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import {
  createRunTransaction,
  type RunTransaction,
  type Transaction,
} from '../../../control-plane/storage/transaction.js';
import { createAuditTimeline } from '../../../control-plane/timeline/audit-source.js';
import { timelineRoutes } from '../../../control-plane/timeline/routes.js';
import { createTimelineStore } from '../../../control-plane/timeline/store.js';
import type { Clock } from '../../../kernel/clock.js';
import type { TestParts } from '../app.js';
import type { TestClock } from '../clock.js';
import { NO_DEPENDENCIES } from '../dependencies/none.js';
import { KINDS, RULE_KINDS } from '../incidents/kinds.js';
import { NO_MAINTENANCE } from '../maintenance/none.js';
import { logCollector } from '../monitors/log-collector.js';
import { buildNotifications, type TestNotifications } from '../notifications/build.js';
import { neverSetAside } from '../set-aside.js';

/** No test waits for it: only that a document is locked ends a transaction of verdicts early. */
const HOUR_MS = 3_600_000;

/** The alert rules of one control plane on the shared database, with real servers, monitors, incidents and outbox. */
export interface RulesPlane {
  statusListener: StatusListener;
  listingListener: ListingListener;
  backupListener: BackupJobListener;
  ensureDefaultRules(tx: Transaction, actor: Actor): Promise<void>;
  ensureDefaultListingRule(tx: Transaction, actor: Actor): Promise<void>;
  ensureDefaultBackupRule(tx: Transaction, actor: Actor): Promise<void>;
  /** Runs the sweep once; false when another control plane has the lease. */
  sweep(): Promise<boolean>;
  /** Checks the disks once; false when another control plane has the lease. */
  checkDisks(): Promise<boolean>;
  /** Evaluates metric rules for a sample and waits for the result. */
  evaluate(sample: AcceptedSample): Promise<void>;
  jobs: Job[];
  /** The one place where a status changes, as in the servers slice. */
  setStatus(id: string, from: ServerStatus, to: ServerStatus): Promise<boolean>;
  runTransaction: RunTransaction;
}

/** What all control planes of a test share. */
export interface RulesWorld {
  mongo: Mongo;
  clock: TestClock;
  data: ReturnType<typeof openServerRecords>;
  blacklist: BlacklistMonitorStore;
  checks: ReturnType<typeof createBlacklistChecksStore>;
  backupJobs: BackupJobStore;
  incidentStore: ReturnType<typeof createIncidentStore>;
  notifying: TestNotifications;
  /** What all control planes log. */
  log: ReturnType<typeof logCollector>;
  /** For how long the servers were silent about which a sweep asked whether they are lost, in milliseconds. */
  silences: number[];
  /** Whether control planes were away, so that no server counts as lost. */
  isAway: boolean;
  maintenance: Maintenance;
}

export function createRulesWorld(mongo: Mongo, clock: TestClock): RulesWorld {
  return {
    ...{ mongo, clock, log: logCollector(), silences: [], isAway: false },
    maintenance: NO_MAINTENANCE,
    data: openServerRecords({ db: mongo.db, setAside: neverSetAside }),
    blacklist: createBlacklistMonitorStore(mongo.db),
    checks: createBlacklistChecksStore(mongo.db),
    backupJobs: createBackupJobStore(mongo.db),
    incidentStore: createIncidentStore(mongo.db, RULE_KINDS),
    notifying: buildNotifications(mongo, { clock }),
  };
}

/** Opens the slices of one control plane. */
export function openRulesPlane(world: RulesWorld, parts: TestParts, name: string) {
  const { mongo, clock, data, blacklist, backupJobs, incidentStore, notifying } = world;
  const { logger } = world.log;
  const databaseTime = async () => clock.now();
  const timeline = createTimelineStore(mongo.db, parts.ids);
  const { runTransaction, audit, ids } = parts;
  const context = { clock, ids, store: incidentStore, timeline, audit, notifier: notifying.notifications };
  const maintenance: Maintenance = {
    covering: (what, atMs) => world.maintenance.covering(what, atMs),
    refresh: () => world.maintenance.refresh(),
  };
  const shared = {
    ...{ db: mongo.db, leases: createLeaseStore(mongo.db), owner: name, clock, logger, runTransaction },
    ...{ incidents: createIncidents({ ...context, ...NO_DEPENDENCIES, maintenance }), systemActor: platformActor },
  };
  const ruleTypes = [...SERVER_RULE_TYPES, listedType, missedType];
  const alertRules = alertRulesSlice.open({
    ...parts,
    ...shared,
    ruleTypes,
    channels: notifying.notifications.channelIds,
  });
  const servers = serverRulesSlice.open({
    ...{
      ...shared,
      alertRules,
      reception: receptionOf(world),
      databaseTime,
      servers: data.store,
      history: data.history,
      runTransaction: createRunTransaction(mongo.client, { ...VERDICT_TRANSACTION, transactionMs: HOUR_MS }),
    },
  });
  const listings = listingRulesSlice.open({ ...shared, alertRules, blacklist });
  const backups = backupRulesSlice.open({ ...shared, alertRules, backupJobs });
  const { statusListener, ensureDefaultRules, evaluator } = servers;
  const changes = createStatusChanges({
    ...shared,
    databaseTime,
    store: data.store,
    timeline,
    listener: statusListener,
  });
  const plane: RulesPlane = {
    ...{ statusListener, ensureDefaultRules, runTransaction },
    listingListener: listings.listener,
    ensureDefaultListingRule: listings.ensureDefaultRule,
    backupListener: backups.listener,
    ensureDefaultBackupRule: backups.ensureDefaultRule,
    sweep: async () => (await alertRules.sweep.runOnce()) !== null,
    checkDisks: async () => (await servers.diskCheck.runOnce()) !== null,
    async evaluate(sample) {
      evaluator.accepted([sample]);
      await evaluator.idle();
    },
    jobs: [...alertRules.jobs, ...servers.jobs],
    setStatus: (id, from, to) => changes.transition({ id, from, to }),
  };
  const { routes, referenceHolders, ensureIndexes } = alertRules;
  return { plane, routes, referenceHolders, ensureIndexes };
}

function receptionOf(world: RulesWorld): Pick<AgentReception, 'lost'> {
  return {
    async lost(agents) {
      world.silences.push(...agents.map(({ silentMs }) => silentMs));
      return new Set(world.isAway ? [] : agents.map(({ id }) => id));
    },
  };
}

/** The routes of incidents and of the timeline. */
export function otherRoutes(
  {
    mongo,
    clock,
    incidentStore,
    notifying,
  }: Pick<RulesWorld, 'mongo' | 'incidentStore' | 'notifying'> & { clock: Clock },
  parts: TestParts,
): Route[] {
  const timeline = createTimelineStore(mongo.db, parts.ids);
  const context = { clock, ids: parts.ids, store: incidentStore, timeline, notifier: notifying.notifications };
  return [
    ...incidentRoutes({
      ...context,
      audit: parts.audit,
      pager: parts.pager,
      resolvedManually: async () => undefined,
      kinds: KINDS,
      notifications: notifying.notifications.records,
    }),
    ...timelineRoutes({
      ...{ pager: parts.pager, clock, records: timeline },
      audit: createAuditTimeline(createAuditStore(mongo.db)),
    }),
  ];
}
