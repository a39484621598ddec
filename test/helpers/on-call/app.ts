import type { Test } from 'tap';
import { createMembershipsStore } from '../../../control-plane/accounts/memberships-store.js';
import { createUsersStore } from '../../../control-plane/accounts/users-store.js';
import { createWorkspacesStore } from '../../../control-plane/accounts/workspaces-store.js';
import { platformActor } from '../../../control-plane/actor.js';
import type { Mount } from '../../../control-plane/http/mount.js';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import { incidentRecordsSlice, incidentsSlice } from '../../../control-plane/incidents/open.js';
import { incidentView } from '../../../control-plane/incidents/view.js';
import { notificationsSlice, type OpenNotifications } from '../../../control-plane/notifications/open.js';
import { createActionLink } from '../../../control-plane/on-call/action-link.js';
import { onCallSlice } from '../../../control-plane/on-call/open.js';
import { createReferences } from '../../../control-plane/references/references.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { createTimelineStore } from '../../../control-plane/timeline/store.js';
import { systemClock } from '../../../kernel/clock.js';
import { createGuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { createLogger, type Logger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { startApp, type TestApp, type TestParts } from '../app.js';
import { type TestClock, testClock } from '../clock.js';
import { NO_DEPENDENCIES } from '../dependencies/none.js';
import { KINDS } from '../incidents/kinds.js';
import { startReceiver } from '../machine/webhook-receiver.js';
import { NO_MAINTENANCE } from '../maintenance/none.js';
import { buildIncident, countedMetrics } from '../notifications/build.js';
import { openRecipients } from '../recipients/open.js';
import { allWork } from '../standing.js';

/** Below a path, as behind a reverse proxy that removes it. */
const PUBLIC_URL = 'https://picket.example.com/tools/picket';

const TARGET = 'https://shop.example.com/health';

/** Opens the slices of incidents, notifications and their links on one database, as the product does. */
function openSlices(parts: TestParts, logger: Logger) {
  const { mongo, clock, ids, audit, pager, secretBox, runTransaction } = parts;
  const { db } = mongo;
  const records = incidentRecordsSlice.open({ db, incidentKinds: KINDS.all });
  if (records instanceof Promise) throw new Error('these slices open at once');
  const recipients = openRecipients(parts).recipients.people;
  const guard = createTargetGuard({ allowPrivate: true });
  const monitors = async (_workspaceId: string, monitorIds: readonly string[]) =>
    new Map(monitorIds.map((id) => [id, { id, name: 'Shop', url: TARGET, type: 'http' }]));
  const locationName = (code: string) => ({ fra: 'Frankfurt', nyc: 'New York', sin: 'Singapore' })[code] ?? code;
  const notifications: OpenNotifications = notificationsSlice.open({
    ...{ db, runTransaction, audit, pager, ids, guard, clock, logger, random: systemRandom, box: secretBox },
    ...{ incidents: records, kinds: records.kinds, metrics: countedMetrics(), standingOf: allWork },
    recipients,
    systemActor: async (workspaceId) => platformActor(workspaceId),
    references: createReferences(db, () => []),
    sources: { monitors, locationName, renderIncident: (one, sent) => ({ ...incidentView(KINDS, one, sent) }) },
    actionLink: createActionLink(secretBox, PUBLIC_URL),
    fetch: createGuardedFetch({ guard, clock: systemClock }),
    ...{ publicUrl: PUBLIC_URL, smtpUrl: null, mailFrom: 'picket@picket.test', version: '0.0.0' },
  });
  const timeline = createTimelineStore(db, ids);
  const incidents = incidentsSlice.open({
    ...{
      db,
      records,
      notifier: notifications,
      notifications: notifications.records,
      timeline,
      maintenance: NO_MAINTENANCE,
      dependencies: NO_DEPENDENCIES.dependencies,
      audit,
      pager,
      ids,
      clock,
    },
    runTransaction,
    logger,
    tagged: {},
    resolvedManually: async () => undefined,
  });
  if (incidents instanceof Promise) throw new Error('these slices open at once');
  const onCall = onCallSlice.open({
    ...{ db, runTransaction, audit, clock, logger, box: secretBox, publicUrl: PUBLIC_URL, monitors, locationName },
    ...{ users: createUsersStore(db), memberships: createMembershipsStore(db) },
    ...{ workspaces: createWorkspacesStore(db), channels: notifications.channelHeads, kinds: records.kinds },
    ...{ incident: records.store.find, incidents: incidents.manual, recipients },
  });
  if (onCall instanceof Promise) throw new Error('these slices open at once');
  return { records, notifications, timeline, incidents, onCall };
}

/** Starts an app with real incidents, notifications and links, and a receiver of webhooks. All of it ends with the test. */
export async function startOnCall(
  t: Pick<Test, 'teardown'>,
  mongo: Mongo,
  options: { logger?: Logger; clock?: TestClock; trustedProxies?: string[] } = {},
) {
  const clock = options.clock ?? testClock(Date.now());
  const logger = options.logger ?? createLogger({ name: 'test', level: 'silent' });
  let slices: ReturnType<typeof openSlices> | null = null;
  let mounts: readonly Mount[] = [];
  const app = await startApp({
    ...{ mongo, clock, logger, trustedProxies: options.trustedProxies ?? [] },
    routes(parts) {
      slices = openSlices(parts, logger);
      mounts = slices.onCall.mounts ?? [];
      return [...slices.notifications.routes, ...(slices.incidents.routes ?? []), ...(slices.onCall.routes ?? [])];
    },
    mounts: () => mounts,
  });
  const opened = slices as ReturnType<typeof openSlices> | null;
  if (opened === null) throw new Error('the slices were not opened');
  await Promise.all(
    [opened.records, opened.notifications, opened.timeline, opened.incidents, opened.onCall].map((slice) =>
      slice.ensureIndexes?.(),
    ),
  );
  for (const job of opened.notifications.jobs) await job.start();
  const receiver = await startReceiver();
  t.teardown(async () => {
    for (const job of opened.notifications.jobs) await job.stop();
    await Promise.all([app.close(), receiver.close()]);
    await mongo.db.collection('outbox').deleteMany({});
  });
  return { ...opened, app, clock, receiver, ...actions(app, opened, clock, receiver.url) };
}

function actions(
  app: TestApp,
  { records, notifications }: ReturnType<typeof openSlices>,
  clock: TestClock,
  url: string,
) {
  let channels = 0;
  /** Creates a channel of the workspace of `key`. */
  const channel = async (name = 'On call', key = app.key): Promise<string> => {
    channels += 1;
    const body = { type: 'webhook', name, config: { url: `${url}/${channels}` } };
    const created = await app.request<{ id: string }>('POST', '/v1/channels', { body, key });
    if (created.status !== 201) throw new Error(created.text);
    return created.body.data.id;
  };
  /** Opens an incident that fires now, and notifies its channels. */
  const incident = async (over: Partial<IncidentDocument> = {}): Promise<IncidentDocument> => {
    const nowMs = clock.now();
    const one = buildIncident(app.workspace.id, {
      ...{ _id: app.parts.ids.next('inc'), started_at_ms: nowMs - 90_000, updated_at_ms: nowMs, ...over },
    });
    await app.parts.runTransaction(async (tx) => {
      await records.store.insert(tx, [{ ...one }]);
      await notifications.enqueue(tx, [one], 'opened');
    });
    return one;
  };
  const send = async (method: string, query: string, init: RequestInit = {}): Promise<PageAnswer> => {
    const response = await fetch(`${app.url}/on-call${query}`, { method, redirect: 'manual', ...init });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return {
    channel,
    incident,
    /** Signs a link as a notification of now has it, and returns its token. */
    tokenOf(of: { incident: string; channel: string; workspace?: string; atMs?: number }): string {
      const link = createActionLink(
        app.parts.secretBox,
        PUBLIC_URL,
      )({
        workspaceId: of.workspace ?? app.workspace.id,
        ...{ incidentId: of.incident, channelId: of.channel, atMs: of.atMs ?? clock.now() },
      });
      return new URL(link).searchParams.get('t') ?? '';
    },
    stored: async (id: string): Promise<IncidentDocument> => {
      const found = await records.store.find(app.workspace.id, id);
      if (found === null) throw new Error('no such incident');
      return found;
    },
    open: (token: string, method = 'GET', headers: Record<string, string> = {}) =>
      send(method, `?t=${token}`, { headers }),
    /** Presses a button of the page, as a browser without scripts and with this referrer policy does. */
    press: (token: string, action: string, headers: Record<string, string> = {}) =>
      send('POST', '', {
        body: new URLSearchParams({ t: token, action }),
        headers: { origin: 'null', 'sec-fetch-site': 'same-origin', ...headers },
      }),
  };
}

interface PageAnswer {
  status: number;
  headers: Headers;
  text: string;
}
