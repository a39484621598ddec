import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import { platformActor } from '../../../control-plane/actor.js';
import { alertRulesSlice } from '../../../control-plane/alert-rules/open.js';
import {
  type EmailDomainRecords,
  emailDomainRecordsSlice,
  emailDomainsSlice,
} from '../../../control-plane/email-domains/open.js';
import { emailRulesSlice } from '../../../control-plane/email-domains/rules/open.js';
import { scoreFellType } from '../../../control-plane/email-domains/rules/rule-type.js';
import type { EmailDomainWithAreas } from '../../../control-plane/email-domains/schema.js';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import { createIncidents } from '../../../control-plane/incidents/service.js';
import { createIncidentStore } from '../../../control-plane/incidents/store.js';
import type { PlanName } from '../../../control-plane/plans/plans.js';
import { createLeaseStore } from '../../../control-plane/storage/leases/lease-store.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { createTimelineStore } from '../../../control-plane/timeline/store.js';
import { createGuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { otherRoutes } from '../alert-rules/plane.js';
import { startApp, type TestApp } from '../app.js';
import { type TestClock, testClock } from '../clock.js';
import { testDatabase } from '../database.js';
import { NO_DEPENDENCIES } from '../dependencies/none.js';
import { RULE_KINDS } from '../incidents/kinds.js';
import type { ScriptedDns } from '../machine/scripted-dns.js';
import { NO_MAINTENANCE } from '../maintenance/none.js';
import { logCollector } from '../monitors/log-collector.js';
import { buildNotifications } from '../notifications/build.js';
import { createAuthority, type TestAuthority } from '../probe/targets-tls.js';
import { allWork } from '../standing.js';
import { startZone, type Zone } from './zone.js';

export const PATH = '/api/v1/email-domains';

/** The API of e-mail domains on a real database, with real alert rules and incidents, and mail servers on loopback. */
export interface EmailDomainsApp extends TestApp {
  mongo: Mongo;
  clock: TestClock;
  records: EmailDomainRecords;
  zone: Zone;
  dns: ScriptedDns;
  authority: TestAuthority;
  /** The policies that are served, by domain. */
  policies: Map<string, string>;
  /** Checks all domains that are due. Resolves to their number. */
  check(): Promise<number | null>;
  add(name: string, more?: object): Promise<EmailDomainWithAreas>;
  read(id: string): Promise<EmailDomainWithAreas>;
  incidents(): Promise<IncidentDocument[]>;
  sweep(): Promise<unknown>;
  stop(): Promise<void>;
}

export interface EmailDomainsOptions {
  zone?: Zone;
  plan?: PlanName;
  smtpPort?: number;
  /** Defaults to true: mail servers of tests are on loopback. */
  allowPrivate?: boolean;
  authority?: TestAuthority;
}

/** Nothing listens on this port. */
const NO_PORT = 9;

export async function startEmailDomainsApp(options: EmailDomainsOptions = {}): Promise<EmailDomainsApp> {
  const { zone = new Map(), plan = 'Enterprise', smtpPort = NO_PORT, allowPrivate = true } = options;
  const [mongo, authority, dns] = await Promise.all([
    testDatabase(),
    options.authority ?? createAuthority(),
    startZone(zone),
  ]);
  const clock = testClock(Date.UTC(2026, 0, 31, 12));
  const policies = new Map<string, string>();
  const server = await startPolicyServer(authority, policies);
  const records = emailDomainRecordsSlice.open({ db: mongo.db });
  const notifying = buildNotifications(mongo, { clock });
  const guard = createTargetGuard({ allowPrivate });
  const secureContext = createSecureContext({ ca: authority.pem });
  const fetch = createGuardedFetch({ guard, clock, secureContext });
  const { logger } = logCollector();
  let opened: ReturnType<typeof emailDomainsSlice.open> | null = null;
  let sweep: { runOnce(): Promise<unknown> } | null = null;
  const app = await startApp({
    mongo,
    plan,
    clock,
    async routes(parts) {
      const { runTransaction, audit, ids } = parts;
      const incidentStore = createIncidentStore(mongo.db, RULE_KINDS);
      const timeline = createTimelineStore(mongo.db, ids);
      const leases = createLeaseStore(mongo.db);
      const context = { clock, ids, store: incidentStore, timeline, audit, notifier: notifying.notifications };
      const shared = { db: mongo.db, leases, owner: 'test', clock, logger, runTransaction };
      const incidents = createIncidents({ ...context, ...NO_DEPENDENCIES, maintenance: NO_MAINTENANCE });
      const alertRules = alertRulesSlice.open({
        ...parts,
        ...shared,
        incidents,
        systemActor: platformActor,
        ruleTypes: [scoreFellType],
        channels: notifying.notifications.channelIds,
      });
      const rules = emailRulesSlice.open({
        ...shared,
        incidents,
        alertRules,
        domains: records.store,
        systemActor: platformActor,
      });
      opened = emailDomainsSlice.open({
        ...parts,
        ...shared,
        records,
        dnsServers: [dns.server],
        guard,
        fetch,
        policyUrl: (name) => `https://localhost:${(server.address() as AddressInfo).port}/${name}`,
        ehloName: 'picket.example',
        smtpPort,
        mailAuthorities: secureContext,
        listener: rules.listener,
        ensureDefaultRule: rules.ensureDefaultRule,
        timeline,
        planOf: async () => plan,
        standingOf: allWork,
      });
      sweep = alertRules.sweep;
      await Promise.all([
        notifying.ensureIndexes(),
        records.ensureIndexes(),
        alertRules.ensureIndexes(),
        timeline.ensureIndexes(),
      ]);
      return [
        ...(opened.routes ?? []),
        ...alertRules.routes,
        ...otherRoutes({ mongo, clock, incidentStore, notifying }, parts),
      ];
    },
  });
  return {
    ...app,
    mongo,
    clock,
    records,
    zone,
    dns,
    authority,
    policies,
    check: async () => (await opened?.job.runOnce()) ?? null,
    async add(name, more = {}) {
      const added = await app.request<EmailDomainWithAreas>('POST', PATH, { body: { name, ...more } });
      if (added.status !== 201) throw new Error(`${added.status} ${added.text}`);
      return added.body.data;
    },
    read: async (id) => (await app.request<EmailDomainWithAreas>('GET', `${PATH}/${id}`)).body.data,
    incidents: () => mongo.db.collection<IncidentDocument>('incidents').find().sort({ _id: 1 }).toArray(),
    sweep: async () => sweep?.runOnce(),
    async stop() {
      await app.close();
      await fetch.close();
      await new Promise((resolve) => server.close(resolve));
      await notifying.notifications.stop();
      await dns.stop();
      await mongo.drop();
    },
  };
}

/** Serves each policy below the name of its domain; 404 without one. */
async function startPolicyServer(authority: TestAuthority, policies: ReadonlyMap<string, string>): Promise<Server> {
  const { cert, key } = await authority.issue();
  const server = createServer({ cert, key }, (request, response) => {
    const policy = policies.get(request.url?.slice(1) ?? '');
    response.writeHead(policy === undefined ? 404 : 200, { 'content-type': 'text/plain' }).end(policy ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return server;
}
