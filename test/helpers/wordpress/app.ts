import { randomBytes } from 'node:crypto';
import { platformActor } from '../../../control-plane/actor.js';
import { alertRulesSlice } from '../../../control-plane/alert-rules/open.js';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import { createIncidents } from '../../../control-plane/incidents/service.js';
import { createIncidentStore } from '../../../control-plane/incidents/store.js';
import type { PlanName } from '../../../control-plane/plans/plans.js';
import type { Job } from '../../../control-plane/slice.js';
import { createLeaseStore } from '../../../control-plane/storage/leases/lease-store.js';
import type { LeasedPeriodicTask } from '../../../control-plane/storage/leases/leased-periodic-task.js';
import { createTimelineStore } from '../../../control-plane/timeline/store.js';
import { wordpressRecordsSlice, wordpressSlice } from '../../../control-plane/wordpress/open.js';
import { answerSignature, isSignature, requestSignature } from '../../../control-plane/wordpress/protocol/signature.js';
import { wordpressRulesSlice } from '../../../control-plane/wordpress/rules/open.js';
import { checkFailedType } from '../../../control-plane/wordpress/rules/rule-type.js';
import type { FeedSetting } from '../../../control-plane/wordpress/vulnerabilities/setting.js';
import { type Clock, systemClock } from '../../../kernel/clock.js';
import { createGuardedDownload } from '../../../kernel/guard/guarded-download.js';
import { createGuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { otherRoutes } from '../alert-rules/plane.js';
import { type Answer, startApp, type TestApp } from '../app.js';
import { testDatabase } from '../database.js';
import { NO_DEPENDENCIES } from '../dependencies/none.js';
import { RULE_KINDS } from '../incidents/kinds.js';
import { NO_MAINTENANCE } from '../maintenance/none.js';
import { buildNotifications } from '../notifications/build.js';
import { allWork } from '../standing.js';
import { PATH } from './plane.js';

/** The API of WordPress sites on a real database. */
export interface WordpressApp extends TestApp {
  /** Of the visits, which run only where a test starts them. */
  jobs: readonly Job[];
  incidents(): Promise<IncidentDocument[]>;
  /** Repairs the incidents of alert rules. */
  sweep(): Promise<void>;
  /** Refreshes the feed of vulnerable plugins, if that is due, and compares the sites with what is new. */
  refreshFeed(): Promise<void>;
  stop(): Promise<void>;
}

export async function startWordpressApp(
  options: {
    plan?: PlanName;
    clock?: Clock;
    beside?: WordpressApp;
    standingOf?: typeof allWork;
    feed?: FeedSetting | null;
    allowPrivate?: boolean;
  } = {},
): Promise<WordpressApp> {
  const {
    plan = 'Enterprise',
    feed = null,
    allowPrivate = true,
    clock = systemClock,
    standingOf = allWork,
    beside,
  } = options;
  const own = beside === undefined ? await testDatabase() : null;
  const mongo = own ?? beside?.parts.mongo;
  if (mongo === undefined) throw new Error('no database');
  const guard = createTargetGuard({ allowPrivate });
  const logger = createLogger({ name: 'test', level: 'silent' });
  let jobs: readonly Job[] = [];
  let sweep: { runOnce(): Promise<unknown> } | null = null;
  const notifying = buildNotifications(mongo, { clock });
  const records = wordpressRecordsSlice.open({ db: mongo.db });
  const app = await startApp({
    ...{ mongo, plan, clock },
    async routes(parts) {
      const { runTransaction, audit, ids } = parts;
      const incidentStore = createIncidentStore(mongo.db, RULE_KINDS);
      const timeline = createTimelineStore(mongo.db, ids);
      const leases = createLeaseStore(mongo.db);
      const shared = { db: mongo.db, leases, owner: ids.next('job'), clock, logger, runTransaction };
      const { notifications } = notifying;
      const context = { clock, ids, store: incidentStore, timeline, audit, notifier: notifications };
      const incidents = createIncidents({ ...context, ...NO_DEPENDENCIES, maintenance: NO_MAINTENANCE });
      const alertRules = alertRulesSlice.open({
        ...parts,
        ...shared,
        incidents,
        systemActor: platformActor,
        ruleTypes: [checkFailedType],
        channels: notifications.channelIds,
      });
      const rules = wordpressRulesSlice.open({
        ...shared,
        incidents,
        alertRules,
        sites: records.sites,
        systemActor: platformActor,
        publicUrl: 'http://picket.test',
      });
      const opened = await wordpressSlice.open({
        ...parts,
        ...shared,
        records,
        listener: rules.listener,
        ensureDefaultRule: rules.ensureDefaultRule,
        ...{ box: parts.secretBox, guard, standingOf, random: systemRandom },
        runRequestTransaction: runTransaction,
        fetch: createGuardedFetch({ guard, clock }),
        ...{ download: createGuardedDownload({ guard, clock }), feed },
      });
      await Promise.all([
        opened.ensureIndexes?.(),
        records.ensureIndexes(),
        alertRules.ensureIndexes(),
        timeline.ensureIndexes(),
        notifying.ensureIndexes(),
      ]);
      jobs = opened.jobs ?? [];
      sweep = alertRules.sweep;
      return [
        ...(opened.routes ?? []),
        ...alertRules.routes,
        ...otherRoutes({ mongo, clock, incidentStore, notifying }, parts),
      ];
    },
  });
  return {
    ...app,
    jobs,
    incidents: () => mongo.db.collection<IncidentDocument>('incidents').find().sort({ _id: 1 }).toArray(),
    async sweep() {
      await sweep?.runOnce();
    },
    async refreshFeed() {
      const job = jobs.at(-1) as LeasedPeriodicTask<void>;
      await job.runOnce();
    },
    async stop() {
      await app.close();
      await notifying.notifications.stop();
      await own?.drop();
    },
  };
}

/** A plugin as the control plane sees it. */
export interface TestPlugin {
  siteId: string;
  secret: string;
  /** Sends a signed message; `changed` replaces parts of it after it was signed. */
  send(
    path: string,
    body: unknown,
    changed?: Partial<Record<'site' | 'time' | 'nonce' | 'signature' | 'body', string>>,
  ): Promise<Answer<{ payload: string; signature: string }>>;
  /** Polls. Resolves to the payload, whose signature is right. */
  poll(said?: {
    checks?: unknown[];
    results?: unknown[];
    plugins?: unknown[];
    plugins_complete?: boolean;
    before_plugins?: boolean;
    undo_obstacle?: string;
  }): Promise<{ jobs: { id: string; kind: string; check: string }[] }>;
}

export const ABOUT = {
  ...{ home_url: 'http://127.0.0.1:8080', plugin_version: '0.1.0', wp_version: '6.1.9', php_version: '8.2.30' },
  server: 'Apache/2.4.66',
};
const POLL = '/v1/wp/plugin/poll';

/** Adds a site, and connects a plugin to it. `key` is of its workspace, by default that of the app. */
export async function connectPlugin(app: WordpressApp, url = ABOUT.home_url, key = app.key): Promise<TestPlugin> {
  const added = await app.request<{ id: string; activation_code: string }>('POST', `${PATH}/sites`, {
    ...{ key, body: { name: 'Shop', url } },
  });
  const activated = await app.request<{ site_id: string; secret: string }>('POST', '/v1/wp/plugin/activate', {
    key: null,
    body: { ...ABOUT, home_url: url, code: added.body.data.activation_code },
  });
  const { site_id: siteId, secret } = activated.body.data;
  const plugin: TestPlugin = {
    ...{ siteId, secret },
    async send(path, body, changed = {}) {
      const text = JSON.stringify(body);
      const timestamp = changed.time ?? String(Math.floor(app.parts.clock.now() / 1_000));
      const nonce = changed.nonce ?? randomBytes(16).toString('hex');
      const signature = requestSignature(secret, { method: 'POST', path, timestamp, nonce, siteId, body: text });
      const answer = await app.request<{ payload: string; signature: string }>('POST', path, {
        key: null,
        rawBody: changed.body ?? text,
        headers: {
          'content-type': 'application/json',
          'x-picket-site': changed.site ?? siteId,
          'x-picket-time': timestamp,
          'x-picket-nonce': nonce,
          'x-picket-signature': changed.signature ?? signature,
        },
      });
      if (answer.status !== 200) return answer;
      const { payload, signature: given } = answer.body.data;
      if (!isSignature(given, answerSignature(secret, { nonce, payload }))) throw new Error('the answer is not signed');
      return answer;
    },
    async poll({ checks = [], results = [], ...plugins } = {}) {
      const answer = await plugin.send(POLL, { ...ABOUT, home_url: url, checks, results, ...plugins });
      if (answer.status !== 200) throw new Error(`the poll was refused: ${answer.text}`);
      return JSON.parse(answer.body.data.payload);
    },
  };
  return plugin;
}

/** What a plugin says of XML-RPC. */
export function measured(status: string, applied = false) {
  return { id: 'xmlrpc', status, evidence: `measured as ${status}`, applied };
}
