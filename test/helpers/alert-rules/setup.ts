import type { AlertRule } from '../../../control-plane/alert-rules/schema.js';
import type { AuditDocument } from '../../../control-plane/audit/documents.js';
import type { BlacklistMonitorDocument, CheckDocument, Listing } from '../../../control-plane/blacklist/documents.js';
import type { BlacklistMonitorStore } from '../../../control-plane/blacklist/store.js';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import type { ServerDocument } from '../../../control-plane/servers/documents.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { createTimelineStore } from '../../../control-plane/timeline/store.js';
import { startApp, type TestApp, type TestParts } from '../app.js';
import { type TestClock, testClock } from '../clock.js';
import { testDatabase } from '../database.js';
import type { TestNotifications } from '../notifications/build.js';

import { createRulesWorld, openRulesPlane, otherRoutes, type RulesPlane } from './plane.js';
import { blacklistSteps, serverSteps } from './steps.js';

export type { RulesPlane } from './plane.js';
export { INTERVAL_MS } from './steps.js';

/** The API and a database with everything that alert rules use. `plane` adds another control plane. */
export interface AlertRulesSetup {
  app: TestApp;
  /** Where the database is. */
  uri: string;
  clock: TestClock;
  notifying: TestNotifications;
  /** The control plane of the API. */
  first: RulesPlane;
  plane(name: string): RulesPlane;
  insertServer(server?: Partial<ServerDocument>): Promise<ServerDocument>;
  changeServer(id: string, change: Partial<ServerDocument>): Promise<ServerDocument>;
  server(id: string): Promise<ServerDocument | null>;
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
  /** The lines that all control planes have logged. */
  logged: readonly Record<string, unknown>[];
  /** With true, control planes were away, so that no server counts as lost. */
  setAway(isAway: boolean): void;
  stop(): Promise<void>;
}

export async function setUpAlertRules(clock: TestClock = testClock(Date.now())): Promise<AlertRulesSetup> {
  const mongo = await testDatabase();
  const world = createRulesWorld(mongo, clock);
  const { data, blacklist, checks, notifying } = world;
  const planes: RulesPlane[] = [];
  function open(parts: TestParts, name: string) {
    const opened = openRulesPlane(world, parts, name);
    planes.push(opened.plane);
    return opened;
  }
  const app = await startApp({
    mongo,
    clock,
    async routes(parts) {
      const { routes, ensureIndexes } = open(parts, 'first');
      await Promise.all([
        ...[notifying.ensureIndexes(), data.ensureIndexes(), blacklist.ensureIndexes()],
        ...[checks.ensureIndexes(), ensureIndexes(), createTimelineStore(mongo.db, parts.ids).ensureIndexes()],
      ]);
      return [...routes, ...otherRoutes(world, parts)];
    },
  });
  const [first] = planes;
  if (first === undefined) throw new Error('routes were not built');
  return {
    ...{ app, uri: mongo.uri, clock, notifying, first, blacklist },
    plane: (name) => open(app.parts, name).plane,
    ...serverSteps({ world, app, first }),
    ...blacklistSteps({ world, app, first }),
    async rule(body) {
      const answer = await app.request<AlertRule>('POST', '/v1/alert-rules', { body });
      if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
      return answer.body.data;
    },
    ...readsOf(mongo),
    silences: world.silences,
    logged: world.log.lines,
    setAway(isAway) {
      world.isAway = isAway;
    },
    async stop() {
      for (const one of planes) for (const job of one.jobs) await job.stop();
      await app.close();
      await notifying.notifications.stop();
      await mongo.drop();
    },
  };
}

function readsOf(mongo: Mongo): Pick<AlertRulesSetup, 'incidents' | 'unresolved' | 'outbox' | 'audits'> {
  const incidents = mongo.db.collection<IncidentDocument>('incidents');
  return {
    incidents: () => incidents.find().sort({ _id: 1 }).toArray(),
    unresolved: () => incidents.find({ open: true }).sort({ _id: 1 }).toArray(),
    async outbox() {
      const rows = await mongo.db.collection('outbox').find().sort({ event_ms: 1, _id: 1 }).toArray();
      return rows.map((row) => `${row['event']} ${row['channel_id']}`);
    },
    audits: (action) =>
      mongo.db.collection<AuditDocument>('audit_log').find().filter({ action }).sort({ _id: 1 }).toArray(),
  };
}
