import { platformActor } from '../../../control-plane/actor.js';
import { alertRulesSlice } from '../../../control-plane/alert-rules/open.js';
import {
  type DomainRecords,
  domainExpirySlice,
  domainRecordsSlice,
} from '../../../control-plane/domain-expiry/open.js';
import { domainRulesSlice } from '../../../control-plane/domain-expiry/rules/open.js';
import { domainExpiringType } from '../../../control-plane/domain-expiry/rules/rule-type.js';
import type { MonitoredDomain } from '../../../control-plane/domain-expiry/schema.js';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import { createIncidents } from '../../../control-plane/incidents/service.js';
import { createIncidentStore } from '../../../control-plane/incidents/store.js';
import { createMonitorChanges } from '../../../control-plane/monitors/directory/changes-store.js';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { createMonitorStore } from '../../../control-plane/monitors/store.js';
import { createLeaseStore } from '../../../control-plane/storage/leases/lease-store.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { createTimelineStore } from '../../../control-plane/timeline/store.js';
import { createGuardedDownload } from '../../../kernel/guard/guarded-download.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { systemRandom } from '../../../kernel/random.js';
import { otherRoutes } from '../alert-rules/plane.js';
import { startApp, type TestApp } from '../app.js';
import { type TestClock, testClock } from '../clock.js';
import { testDatabase } from '../database.js';
import { NO_DEPENDENCIES } from '../dependencies/none.js';
import { RULE_KINDS } from '../incidents/kinds.js';
import { NO_MAINTENANCE } from '../maintenance/none.js';
import { logCollector } from '../monitors/log-collector.js';
import { buildNotifications } from '../notifications/build.js';
import { allWork } from '../standing.js';
import { monitorDocument } from '../verdicts/setup.js';
import { type RdapServer, startRdapServer } from './rdap-server.js';

/** A control plane that checks domains. Several share one database. */
interface Plane {
  run(): Promise<number | null>;
  stop(): Promise<void>;
}

/** The domains of monitors on a real database, with real alert rules and incidents, and a registry on loopback. */
export interface DomainsApp extends TestApp {
  mongo: Mongo;
  clock: TestClock;
  rdap: RdapServer;
  records: DomainRecords;
  lines: Record<string, unknown>[];
  /** Checks all domains that are due, as the first of `planes`. Waiting for a turn at a server moves the clock. */
  run(): Promise<number | null>;
  /** Opens another control plane on the same database. */
  plane(owner: string): Plane;
  /** Adds an active monitor. Resolves to its id. */
  monitor(url: string, more?: Partial<MonitorDocument>): Promise<string>;
  change(id: string, change: Partial<MonitorDocument> | null): Promise<void>;
  domains(query?: string): Promise<MonitoredDomain[]>;
  incidents(): Promise<IncidentDocument[]>;
  timeline(): Promise<{ type: string; message: string; workspace_id: string }[]>;
  sweep(): Promise<unknown>;
  /** Adds a channel of the workspace. */
  addChannel(): Promise<void>;
  /** Returns for how many incidents its opening is in the outbox. */
  openings(): Promise<number>;
  stop(): Promise<void>;
}

/** `fraction` gives the random numbers: 0 by default, so that domains are due exactly when the registry may be asked. */
export async function startDomainsApp(
  options: { allowPrivate?: boolean; fraction?: () => number } = {},
): Promise<DomainsApp> {
  const [mongo, rdap] = await Promise.all([testDatabase(), startRdapServer()]);
  for (const suffix of ['com', 'org', 'uk']) rdap.suffixes.set(suffix, `http://127.0.0.1:${rdap.port}/${suffix}/`);
  // In the future, because the database deletes what has expired by its own clock.
  const clock = testClock(Date.UTC(2031, 0, 31, 12));
  const jumping = { ...clock, sleep: async (ms: number) => clock.jump(ms) };
  const records = domainRecordsSlice.open({ db: mongo.db });
  const [monitors, changes] = [createMonitorStore(mongo.db), createMonitorChanges(mongo.db)];
  const notifying = buildNotifications(mongo, { clock });
  const guard = createTargetGuard({ allowPrivate: options.allowPrivate ?? true });
  const { logger, lines } = logCollector();
  let open: ((owner: string) => ReturnType<typeof domainExpirySlice.open>) | null = null;
  let sweep: { runOnce(): Promise<unknown> } | null = null;
  const app = await startApp({
    mongo,
    clock,
    async routes(parts) {
      const { runTransaction, audit, ids } = parts;
      const incidentStore = createIncidentStore(mongo.db, RULE_KINDS);
      const timeline = createTimelineStore(mongo.db, ids);
      const shared = { db: mongo.db, leases: createLeaseStore(mongo.db), owner: 'test', clock, logger, runTransaction };
      const incidents = createIncidents({
        ...{ clock, ids, store: incidentStore, timeline, audit, notifier: notifying.notifications },
        maintenance: NO_MAINTENANCE,
        ...NO_DEPENDENCIES,
      });
      const alertRules = alertRulesSlice.open({
        ...{ ...parts, ...shared, incidents, systemActor: platformActor, ruleTypes: [domainExpiringType] },
        channels: notifying.notifications.channelIds,
      });
      const rules = domainRulesSlice.open({
        ...{ ...shared, incidents, alertRules, domains: records.domains, systemActor: platformActor },
      });
      open = (owner) =>
        domainExpirySlice.open({
          ...{ ...parts, ...shared, clock: jumping, owner, records, timeline, standingOf: allWork },
          bootstrapUrl: rdap.bootstrapUrl,
          download: createGuardedDownload({ guard, clock }),
          ...{ targets: monitors, findMonitor: monitors.find, changes, listener: rules.listener },
          random: { ...systemRandom, fraction: options.fraction ?? (() => 0) },
        });
      sweep = alertRules.sweep;
      await Promise.all([
        notifying.ensureIndexes(),
        records.ensureIndexes(),
        alertRules.ensureIndexes(),
        timeline.ensureIndexes(),
        incidentStore.ensureIndexes(),
        monitors.ensureIndexes(),
        changes.ensureIndexes(),
      ]);
      const first = open('first');
      return [
        ...(first.routes ?? []),
        ...alertRules.routes,
        ...otherRoutes({ mongo, clock, incidentStore, notifying }, parts),
      ];
    },
  });
  const plane = (owner: string): Plane => {
    const job = open?.(owner).job;
    return { run: async () => (await job?.runOnce()) ?? null, stop: async () => job?.stop() };
  };
  const first = plane('first');
  const announce = (id: string, workspaceId: string) =>
    app.parts.runTransaction((tx) => changes.note(tx, [{ id, workspaceId }]));
  return {
    ...app,
    ...{ mongo, clock, rdap, records, lines, plane, run: first.run },
    async monitor(url, more = {}) {
      const type = /^https?:/.test(url) ? 'http' : /:\d+$/.test(url) ? 'tcp' : 'ping';
      const workspace_id = more.workspace_id ?? app.workspace.id;
      const of = { _id: app.parts.ids.next('mon'), name: url, url, type, ...more, workspace_id } as const;
      await mongo.db.collection<MonitorDocument>('monitors').insertOne(monitorDocument(of, clock.now()));
      await announce(of._id, workspace_id);
      return of._id;
    },
    async change(id, change) {
      const stored = mongo.db.collection<MonitorDocument>('monitors');
      const found = await stored.findOne({ _id: id });
      if (change === null) await stored.deleteOne({ _id: id });
      else await stored.updateOne({ _id: id }, { $set: change });
      await announce(id, found?.workspace_id ?? '');
    },
    domains: async (query = '') => (await app.request<MonitoredDomain[]>('GET', `/api/v1/domains${query}`)).body.data,
    incidents: () => mongo.db.collection<IncidentDocument>('incidents').find().sort({ _id: 1 }).toArray(),
    timeline: () =>
      mongo.db
        .collection<{ type: string; message: string; workspace_id: string }>('timeline')
        .find({ type: /^domain\./ })
        .sort({ _id: 1 })
        .toArray(),
    sweep: async () => sweep?.runOnce(),
    async addChannel() {
      const config = { to: ['ada@example.com'] };
      await notifying.channel(app.workspace.id, { type: 'email', name: 'Mail', config });
    },
    openings: () => mongo.db.collection('outbox').countDocuments({ event: 'opened' }),
    async stop() {
      await app.close();
      await first.stop();
      await notifying.notifications.stop();
      await rdap.stop();
      await mongo.drop();
    },
  };
}
