import type { Actor } from '../../../control-plane/actor.js';
import { platformActor } from '../../../control-plane/actor.js';
import { alertRulesSlice } from '../../../control-plane/alert-rules/open.js';
import type { AlertRule } from '../../../control-plane/alert-rules/schema.js';
import type { AuditDocument } from '../../../control-plane/audit/documents.js';
import { createAuditStore } from '../../../control-plane/audit/store.js';
import type { ListingListener } from '../../../control-plane/blacklist/blacklist.js';
import type { BlacklistMonitorDocument, CheckDocument, Listing } from '../../../control-plane/blacklist/documents.js';
import { createBlacklistChecksStore } from '../../../control-plane/blacklist/monitoring/checks-store.js';
import { listingRulesSlice } from '../../../control-plane/blacklist/rules/open.js';
import { listedType } from '../../../control-plane/blacklist/rules/rule-type.js';
import { type BlacklistMonitorStore, createBlacklistMonitorStore } from '../../../control-plane/blacklist/store.js';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import { incidentRoutes } from '../../../control-plane/incidents/routes.js';
import { createIncidents } from '../../../control-plane/incidents/service.js';
import { createIncidentStore } from '../../../control-plane/incidents/store.js';
import type { AgentReception } from '../../../control-plane/nodes/nodes.js';
import type { ServerDocument, ServerStatus } from '../../../control-plane/servers/documents.js';
import { openServerRecords } from '../../../control-plane/servers/records.js';
import { serverRulesSlice } from '../../../control-plane/servers/rules/open.js';
import { SERVER_RULE_TYPES } from '../../../control-plane/servers/rules/rule-types.js';
import type { AcceptedSample, StatusListener } from '../../../control-plane/servers/servers.js';
import { createStatusChanges } from '../../../control-plane/servers/status.js';
import type { Job } from '../../../control-plane/slice.js';
import { createLeaseStore } from '../../../control-plane/storage/leases/lease-store.js';
import type { RunTransaction, Transaction } from '../../../control-plane/storage/transaction.js';
import { createAuditTimeline } from '../../../control-plane/timeline/audit-source.js';
import { timelineRoutes } from '../../../control-plane/timeline/routes.js';
import { createTimelineStore } from '../../../control-plane/timeline/store.js';
import { createLogger } from '../../../kernel/logger.js';
import type { MetricSample } from '../../../proto/generated/picket/link/v1/MetricSample.js';
import { loadMetricSampleCodec } from '../../../proto/load.js';
import { startApp, type TestApp, type TestParts } from '../app.js';
import { monitorOf } from '../blacklist/documents.js';
import { buildCheck, ZEN } from '../blacklist/listings.js';
import { type TestClock, testClock } from '../clock.js';
import { testDatabase } from '../database.js';
import { KINDS, RULE_KINDS } from '../incidents/kinds.js';
import { buildNotifications, type TestNotifications } from '../notifications/build.js';
import { neverSetAside } from '../set-aside.js';

/** The alert rules of one control plane on the shared database, with real servers, monitors, incidents and outbox. */
export interface RulesPlane {
  statusListener: StatusListener;
  listingListener: ListingListener;
  ensureDefaultRules(tx: Transaction, actor: Actor): Promise<void>;
  ensureDefaultListingRule(tx: Transaction, actor: Actor): Promise<void>;
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

/** The API and a database with everything that alert rules use. `plane` adds another control plane. */
export interface AlertRulesSetup {
  app: TestApp;
  clock: TestClock;
  notifying: TestNotifications;
  /** The control plane of the API. */
  first: RulesPlane;
  plane(name: string): RulesPlane;
  insertServer(server?: Partial<ServerDocument>): Promise<ServerDocument>;
  changeServer(id: string, change: Partial<ServerDocument>): Promise<ServerDocument>;
  /** Stores a sample and, without `unseen`, waits until the control plane has evaluated it. */
  sample(
    server: ServerDocument,
    values: Record<string, number>,
    how?: { plane?: RulesPlane; late?: boolean; unseen?: boolean; atMs?: number },
  ): Promise<void>;
  blacklist: BlacklistMonitorStore;
  insertMonitor(monitor?: Partial<BlacklistMonitorDocument>): Promise<BlacklistMonitorDocument>;
  /** Saves a check with these listings, as the blacklist slice does. See `buildCheck`. */
  check(
    monitorId: string,
    listings: readonly Listing[],
    how?: { plane?: RulesPlane; silent?: string[]; lists?: string[]; unnoticed?: boolean },
  ): Promise<CheckDocument>;
  rule(body: object): Promise<AlertRule>;
  /** All incidents, oldest first. */
  incidents(): Promise<IncidentDocument[]>;
  unresolved(): Promise<IncidentDocument[]>;
  /** The event and channel of every outbox row, oldest first. */
  outbox(): Promise<string[]>;
  audits(action: string): Promise<AuditDocument[]>;
  /** For how long the servers were silent about which the sweep asked whether they are lost, in milliseconds. */
  silences: readonly number[];
  /** With true, control planes were away, so that no server counts as lost. */
  setAway(isAway: boolean): void;
  stop(): Promise<void>;
}

export const INTERVAL_MS = 10_000;

export async function setUpAlertRules(clock: TestClock = testClock(Date.now())): Promise<AlertRulesSetup> {
  const mongo = await testDatabase();
  const logger = createLogger({ name: 'test', level: 'silent' });
  const data = openServerRecords({ db: mongo.db, setAside: neverSetAside });
  const blacklist = createBlacklistMonitorStore(mongo.db);
  const checks = createBlacklistChecksStore(mongo.db);
  const incidentStore = createIncidentStore(mongo.db, RULE_KINDS);
  const notifying = buildNotifications(mongo, { clock });
  const codec = loadMetricSampleCodec();
  const planes: RulesPlane[] = [];
  const away = { isAway: false };
  const silences: number[] = [];
  const reception: Pick<AgentReception, 'lost'> = {
    async lost(agents) {
      silences.push(...agents.map(({ silentMs }) => silentMs));
      return new Set(away.isAway ? [] : agents.map(({ id }) => id));
    },
  };
  const databaseTime = async () => clock.now();
  const build = { parts: null as TestParts | null };

  function openPlane(name: string) {
    const { parts } = build;
    if (parts === null) throw new Error('the app has not started');
    const timeline = createTimelineStore(mongo.db, parts.ids);
    const { runTransaction, audit, ids } = parts;
    const context = { clock, ids, store: incidentStore, timeline, audit, notifier: notifying.notifications };
    const shared = {
      ...{ db: mongo.db, leases: createLeaseStore(mongo.db), owner: name, clock, logger, runTransaction },
      ...{ incidents: createIncidents(context), systemActor: platformActor },
    };
    const ruleTypes = [...SERVER_RULE_TYPES, listedType];
    const alertRules = alertRulesSlice.open({
      ...parts,
      ...shared,
      ruleTypes,
      channels: notifying.notifications.channelIds,
    });
    const servers = serverRulesSlice.open({
      ...{ ...shared, alertRules, reception, databaseTime, servers: data.store, history: data.history },
    });
    const listings = listingRulesSlice.open({ ...shared, alertRules, blacklist });
    const { statusListener, ensureDefaultRules, evaluator } = servers;
    const changes = createStatusChanges({
      ...shared,
      databaseTime,
      store: data.store,
      timeline,
      listener: statusListener,
    });
    const built: RulesPlane = {
      ...{ statusListener, ensureDefaultRules, runTransaction },
      listingListener: listings.listener,
      ensureDefaultListingRule: listings.ensureDefaultRule,
      sweep: async () => (await alertRules.sweep.runOnce()) !== null,
      checkDisks: async () => (await servers.diskCheck.runOnce()) !== null,
      async evaluate(sample) {
        evaluator.accepted([sample]);
        await evaluator.idle();
      },
      jobs: [...alertRules.jobs, ...servers.jobs],
      setStatus: (id, from, to) => changes.transition({ id, from, to }),
    };
    planes.push(built);
    return { ...built, routes: alertRules.routes, ensureIndexes: alertRules.ensureIndexes };
  }

  const app = await startApp({
    mongo,
    clock,
    async routes(parts) {
      build.parts = parts;
      const timeline = createTimelineStore(mongo.db, parts.ids);
      const context = { clock, ids: parts.ids, store: incidentStore, timeline, notifier: notifying.notifications };
      const { routes, ensureIndexes } = openPlane('first');
      await Promise.all([
        ...[notifying.ensureIndexes(), data.ensureIndexes(), blacklist.ensureIndexes()],
        ...[checks.ensureIndexes(), ensureIndexes(), timeline.ensureIndexes()],
      ]);
      return [
        ...routes,
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
    },
  });
  const [first] = planes;
  if (first === undefined) throw new Error('routes were not built');
  const servers = mongo.db.collection<ServerDocument>('servers');
  const monitors = mongo.db.collection<BlacklistMonitorDocument>('blacklist_monitors');
  const incidents = mongo.db.collection<IncidentDocument>('incidents');

  return {
    app,
    clock,
    notifying,
    first,
    plane: openPlane,
    async insertServer(over = {}) {
      const server = serverDocument(app.workspace.id, app.parts.ids.next('srv'), clock.now(), over);
      await servers.insertOne(server);
      return server;
    },
    async changeServer(id, change) {
      const changed = await servers.findOneAndUpdate({ _id: id }, { $set: change }, { returnDocument: 'after' });
      if (changed === null) throw new Error(`no server ${id}`);
      return changed;
    },
    async sample(server, values, { plane: to = first, late = false, unseen = false, atMs = clock.now() } = {}) {
      const identity = { workspaceId: server.workspace_id, serverId: server._id };
      const message = Object.entries(values).map(([series, value]) => {
        const [metric = '', ...device] = series.split(':');
        return { metric: metric.toUpperCase(), device: device.join(':'), value };
      });
      const bytes = codec.encode({ atMs, values: message } as MetricSample);
      const receivedAtMs = clock.now();
      await data.samples.insert([{ ...identity, atMs, receivedAtMs, bytes }]);
      if (unseen) return;
      await to.evaluate({ ...identity, atMs, receivedAtMs, late, values: new Map(Object.entries(values)) });
    },
    blacklist,
    async insertMonitor(over = {}) {
      const nowMs = clock.now();
      const monitor = monitorOf({
        ...{ _id: app.parts.ids.next('blm'), workspace_id: app.workspace.id, frequency: 'hourly' },
        ...{ next_at_ms: nowMs, created_at_ms: nowMs, updated_at_ms: nowMs },
        ...over,
      });
      await app.parts.runTransaction((tx) => blacklist.insert(tx, monitor));
      return monitor;
    },
    async check(monitorId, listings, { plane: by = first, silent = [], lists = [ZEN, 'spamcop'], unnoticed } = {}) {
      return by.runTransaction(async (tx) => {
        const monitor = await monitors.findOne({ _id: monitorId }, { session: tx.session });
        if (monitor === null) throw new Error(`no blacklist monitor ${monitorId}`);
        const id = app.parts.ids.next('blc');
        const check = buildCheck(monitor, listings, { id, atMs: clock.now(), silent, lists });
        const { _id: check_id, score, rating, listed, clean, responding, asked, results, checked_at_ms } = check;
        const noted = await blacklist.saveCheck(tx, monitor, {
          ...{ listings: [...listings], results, not_asked: [], next_at_ms: clock.now() + 3_600_000 },
          last: { check_id, checked_at_ms, score, rating, listed, clean, responding, asked },
        });
        if (noted === null) throw new Error('a concurrent check was saved first');
        await checks.insert(tx, check);
        if (unnoticed !== true) await by.listingListener.checked(tx, noted, check);
        return check;
      });
    },
    async rule(body) {
      const answer = await app.request<AlertRule>('POST', '/v1/alert-rules', { body });
      if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
      return answer.body.data;
    },
    incidents: () => incidents.find().sort({ _id: 1 }).toArray(),
    unresolved: () => incidents.find({ open: true }).sort({ _id: 1 }).toArray(),
    async outbox() {
      const rows = await mongo.db.collection('outbox').find().sort({ event_ms: 1, _id: 1 }).toArray();
      return rows.map((row) => `${row['event']} ${row['channel_id']}`);
    },
    audits: (action) =>
      mongo.db.collection<AuditDocument>('audit_log').find().filter({ action }).sort({ _id: 1 }).toArray(),
    silences,
    setAway(isAway) {
      away.isAway = isAway;
    },
    async stop() {
      for (const one of planes) for (const job of one.jobs) await job.stop();
      await app.close();
      await notifying.notifications.stop();
      await mongo.drop();
    },
  };
}

function serverDocument(workspaceId: string, id: string, nowMs: number, over: Partial<ServerDocument>): ServerDocument {
  return {
    _id: id,
    workspace_id: workspaceId,
    name: 'web-1',
    tags: [],
    hostname: 'web-1.example.com',
    ip: '192.0.2.10',
    os: 'Debian GNU/Linux 12',
    kernel: '6.1.0',
    agent_version: '0.1.0',
    report_interval_ms: INTERVAL_MS,
    inventory: null,
    status: 'online',
    status_changed_at_ms: nowMs,
    live: null,
    dropped: { too_old: 0, values: 0 },
    agent_dropped: 0,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    version: 1,
    ...over,
  };
}
