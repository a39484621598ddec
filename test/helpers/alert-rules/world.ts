import { type AlertRulesSlice, createAlertRules } from '../../../control-plane/alert-rules/open.js';
import type { AlertRule } from '../../../control-plane/alert-rules/schema.js';
import type { AuditDocument } from '../../../control-plane/audit/documents.js';
import { createAuditStore } from '../../../control-plane/audit/store.js';
import type { BlacklistMonitorDocument, CheckDocument, Listing } from '../../../control-plane/blacklist/documents.js';
import { createBlacklistChecksStore } from '../../../control-plane/blacklist/monitoring/checks-store.js';
import { blacklistMessages } from '../../../control-plane/blacklist/rules/messages.js';
import { type BlacklistMonitorStore, createBlacklistMonitorStore } from '../../../control-plane/blacklist/store.js';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import { incidentRoutes } from '../../../control-plane/incidents/routes.js';
import { createIncidents, platformActor } from '../../../control-plane/incidents/service.js';
import { createIncidentStore } from '../../../control-plane/incidents/store.js';
import type { ServerDocument, ServerStatus } from '../../../control-plane/servers/documents.js';
import { openServerData } from '../../../control-plane/servers/history/server-data.js';
import { serverMessages } from '../../../control-plane/servers/rules/messages.js';
import { metricOfSeries } from '../../../control-plane/servers/samples/sample.js';
import { createStatusChanges } from '../../../control-plane/servers/status.js';
import { createLeaseStore } from '../../../control-plane/storage/lease-store.js';
import type { RunTransaction } from '../../../control-plane/storage/transaction.js';
import { createAuditTimeline } from '../../../control-plane/timeline/audit-source.js';
import { createTimelineStore } from '../../../control-plane/timeline/store.js';
import { createLogger } from '../../../kernel/logger.js';
import type { MetricReport } from '../../../proto/generated/picket/link/v1/MetricReport.js';
import { loadMetricReportCodec } from '../../../proto/load.js';
import { startApp, type TestApp, type TestParts } from '../app.js';
import { monitorOf } from '../blacklist/documents.js';
import { buildCheck, ZEN } from '../blacklist/listings.js';
import { type TestClock, testClock } from '../clock.js';
import { testDatabase } from '../database.js';
import { buildNotifying, type Notifying } from '../notifications/notifying.js';

/** One control plane's alert rules over the shared database, beside real servers, monitors, incidents and outbox. */
export interface RulesPlane extends AlertRulesSlice {
  /** The one place where a status changes, as the servers slice has it. */
  setStatus(id: string, from: ServerStatus, to: ServerStatus): Promise<boolean>;
  runTransaction: RunTransaction;
}

/** The API and a database with everything that alert rules touch; more control planes come with `plane`. */
export interface AlertRulesWorld {
  app: TestApp;
  clock: TestClock;
  notifying: Notifying;
  /** The one behind the API. */
  first: RulesPlane;
  plane(name: string): RulesPlane;
  insertServer(server?: Partial<ServerDocument>): Promise<ServerDocument>;
  changeServer(id: string, change: Partial<ServerDocument>): Promise<ServerDocument>;
  /** Stores a report as of now and, but for `unseen`, hands it to the control plane and waits for what it makes of it. */
  report(
    server: ServerDocument,
    values: Record<string, number>,
    how?: { plane?: RulesPlane; late?: boolean; unseen?: boolean; atMs?: number },
  ): Promise<void>;
  blacklist: BlacklistMonitorStore;
  insertMonitor(monitor?: Partial<BlacklistMonitorDocument>): Promise<BlacklistMonitorDocument>;
  /** Notes a check after which the monitor's listings are these, as the blacklist slice does. See `buildCheck`. */
  check(
    monitorId: string,
    listings: readonly Listing[],
    how?: { plane?: RulesPlane; silent?: string[]; lists?: string[]; untold?: boolean },
  ): Promise<CheckDocument>;
  rule(body: object): Promise<AlertRule>;
  /** All incidents, oldest first. */
  incidents(): Promise<IncidentDocument[]>;
  unresolved(): Promise<IncidentDocument[]>;
  /** `opened inc_… chn_…` of every outbox row, oldest first, without the incident's id. */
  outbox(): Promise<string[]>;
  audits(action: string): Promise<AuditDocument[]>;
  stop(): Promise<void>;
}

export const INTERVAL_MS = 10_000;

export async function alertRulesWorld(clock: TestClock = testClock(Date.now())): Promise<AlertRulesWorld> {
  const mongo = await testDatabase();
  const logger = createLogger({ name: 'test', level: 'silent' });
  const data = openServerData(mongo.db);
  const blacklist = createBlacklistMonitorStore(mongo.db);
  const checks = createBlacklistChecksStore(mongo.db);
  const incidentStore = createIncidentStore(mongo.db);
  const notifying = buildNotifying(mongo, { clock });
  const codec = loadMetricReportCodec();
  const planes: RulesPlane[] = [];
  const build = { parts: null as TestParts | null };

  function plane(name: string): RulesPlane {
    const { parts } = build;
    if (parts === null) throw new Error('the app is not up');
    const timeline = createTimelineStore(mongo.db, parts.ids);
    const context = { clock, ids: parts.ids, store: incidentStore, timeline, notifications: notifying.notifications };
    const slice = createAlertRules({
      ...parts,
      ...{ db: mongo.db, leases: createLeaseStore(mongo.db), owner: name, clock, logger },
      incidents: createIncidents(context),
      messages: serverMessages,
      listingMessages: blacklistMessages,
      blacklist,
      channels: notifying.notifications.channelIds,
      servers: data.store,
      history: data.history,
      metricOfSeries,
      systemActor: platformActor,
    });
    const { runTransaction } = parts;
    const status = { store: data.store, runTransaction, timeline, listener: slice.statusListener, clock };
    const changes = createStatusChanges(status);
    const built = {
      ...slice,
      runTransaction,
      setStatus: (id: string, from: ServerStatus, to: ServerStatus) => changes.transition({ id, from, to }),
    };
    planes.push(built);
    return built;
  }

  const app = await startApp({
    mongo,
    clock,
    async routes(parts) {
      build.parts = parts;
      const timeline = createTimelineStore(mongo.db, parts.ids);
      const context = { clock, ids: parts.ids, store: incidentStore, timeline, notifications: notifying.notifications };
      const { routes, ensureIndexes } = plane('first');
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
          mute: { mute: async () => undefined },
          told: notifying.notifications.records,
          timelineSources: [timeline, createAuditTimeline(createAuditStore(mongo.db))],
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
    plane,
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
    async report(server, values, { plane: to = first, late = false, unseen = false, atMs = clock.now() } = {}) {
      const identity = { workspaceId: server.workspace_id, serverId: server._id };
      const message = Object.entries(values).map(([series, value]) => {
        const [metric = '', ...device] = series.split(':');
        return { metric: metric.toUpperCase(), device: device.join(':'), value };
      });
      const report = codec.encode({ atMs, values: message } as MetricReport);
      const receivedAtMs = clock.now();
      await data.reports.insert([{ ...identity, atMs, receivedAtMs, report }]);
      if (unseen) return;
      to.reportListener.accepted([{ ...identity, atMs, receivedAtMs, late, values: new Map(Object.entries(values)) }]);
      await to.idle();
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
    async check(monitorId, listings, { plane: by = first, silent = [], lists = [ZEN, 'spamcop'], untold } = {}) {
      return by.runTransaction(async (tx) => {
        const monitor = await monitors.findOne({ _id: monitorId }, { session: tx.session });
        if (monitor === null) throw new Error(`no blacklist monitor ${monitorId}`);
        const id = app.parts.ids.next('blc');
        const check = buildCheck(monitor, listings, { id, atMs: clock.now(), silent, lists });
        const { _id: check_id, score, rating, listed, clean, responding, asked, results, checked_at_ms } = check;
        const noted = await blacklist.noteCheck(tx, monitor, {
          ...{ listings: [...listings], results, not_asked: [], next_at_ms: clock.now() + 3_600_000 },
          last: { check_id, checked_at_ms, score, rating, listed, clean, responding, asked },
        });
        if (noted === null) throw new Error('somebody else checked it');
        await checks.insert(tx, check);
        if (untold !== true) await by.listingListener.checked(tx, noted, check);
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
