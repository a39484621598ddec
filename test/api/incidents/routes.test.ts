import t from 'tap';
import { createAuditStore } from '../../../control-plane/audit/store.js';
import type { NotificationSent, OpenIncident } from '../../../control-plane/incidents/incidents.js';
import { incidentRoutes } from '../../../control-plane/incidents/routes.js';
import type { IncidentDetail } from '../../../control-plane/incidents/schema.js';
import { createIncidents } from '../../../control-plane/incidents/service.js';
import { createIncidentStore } from '../../../control-plane/incidents/store.js';
import type { Transaction } from '../../../control-plane/storage/transaction.js';
import { createAuditTimeline } from '../../../control-plane/timeline/audit-source.js';
import { timelineRoutes } from '../../../control-plane/timeline/routes.js';
import { createTimelineStore } from '../../../control-plane/timeline/store.js';
import { startApp } from '../../helpers/app.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { NO_DEPENDENCIES } from '../../helpers/dependencies/none.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { KINDS, RULE_KINDS } from '../../helpers/incidents/kinds.js';
import { NO_MAINTENANCE } from '../../helpers/maintenance/none.js';

const MONITOR = 'mon_01kf5e6q0h3v8r2m9x4t7c1z5n';
const OTHER = 'mon_01kf5e6q0h3v8r2m9x4t7c1z5p';
const MISSING = 'inc_01kf5e6q0h3v8r2m9x4t7c1z5n';

async function setUp() {
  const mongo = await testDatabase();
  const clock = testClock(Date.now());
  const outbox = mongo.db.collection('fake_outbox');
  await mongo.db.createCollection('fake_outbox');
  const store = createIncidentStore(mongo.db, RULE_KINDS);
  const muted: { monitorId: string; untilMs: number }[] = [];
  const notifications = {
    async enqueue(tx: Transaction, incidents: readonly { _id: string }[], event: string) {
      if (incidents.length === 0) return;
      await outbox.insertMany(
        incidents.map(({ _id }) => ({ incident_id: _id, event })),
        { session: tx.session },
      );
    },
  };
  /** Notifications by workspace and incident. */
  const sent = new Map<string, NotificationSent[]>();
  const app = await startApp({
    mongo,
    clock,
    routes(parts) {
      const timeline = createTimelineStore(mongo.db, parts.ids);
      const needs = {
        clock,
        ids: parts.ids,
        store,
        notifier: notifications,
        timeline,
        audit: parts.audit,
        pager: parts.pager,
      };
      const audit = createAuditTimeline(createAuditStore(mongo.db));
      const routes = incidentRoutes({
        ...needs,
        kinds: KINDS,
        notifications: {
          ofIncidents: async (workspaceId, ids) =>
            new Map(ids.map((id) => [id, sent.get(`${workspaceId} ${id}`) ?? []] as const)),
        },
        async resolvedManually(_tx, { monitor_id: monitorId }, untilMs) {
          if (monitorId !== null) muted.push({ monitorId, untilMs });
        },
      });
      return [...routes, ...timelineRoutes({ records: timeline, audit, pager: parts.pager, clock })];
    },
  });
  const timeline = createTimelineStore(mongo.db, app.parts.ids);
  await Promise.all([store.ensureIndexes(), timeline.ensureIndexes()]);
  const { ids, audit } = app.parts;
  const incidents = createIncidents({
    ...{ clock, ids, store, notifier: notifications, timeline, audit },
    ...NO_DEPENDENCIES,
    maintenance: NO_MAINTENANCE,
  });
  const open = async (input: Partial<OpenIncident> = {}) => {
    const incident = await app.parts.runTransaction((tx) =>
      incidents.open(tx, {
        workspaceId: app.workspace.id,
        kind: 'monitor',
        subject: `monitor:${input.monitor?.id ?? MONITOR}`,
        monitor: { id: MONITOR, name: 'Shop' },
        resource: { type: 'monitor', id: input.monitor?.id ?? MONITOR, name: 'Shop' },
        severity: 'critical',
        message: 'Shop is down.',
        startedAtMs: clock.now(),
        decision: null,
        channels: null,
        runbookUrl: null,
        tags: [],
        ...input,
      }),
    );
    if (incident === null) throw new Error('an incident is open already');
    return incident;
  };
  return { mongo, clock, outbox, store, app, incidents, open, muted, sent };
}

t.test('incidents over HTTP', async (t) => {
  const { mongo, clock, outbox, app, incidents, open, muted, sent } = await setUp();
  t.teardown(async () => {
    await app.close();
    await mongo.drop();
  });
  const enqueuedEvents = async () => (await outbox.find().toArray()).map((row) => row['event']);
  const { request } = app;

  await t.test('a subject has at most one unresolved incident', async (t) => {
    const incident = await open();
    const again = await app.parts.runTransaction((tx) =>
      incidents.open(tx, {
        workspaceId: app.workspace.id,
        kind: 'monitor',
        subject: incident.subject,
        monitor: null,
        resource: incident.resource,
        severity: 'warning',
        message: 'again',
        startedAtMs: 0,
        decision: null,
        channels: null,
        runbookUrl: null,
        tags: [],
      }),
    );
    t.equal(again, null);
    const shown = await request<IncidentDetail>('GET', `/v1/alerts/${incident._id}`);
    t.equal(shown.status, 200);
    t.match(shown.body.data, {
      id: incident._id,
      monitor_id: MONITOR,
      monitor_name: 'Shop',
      status: 'firing',
      severity: 'critical',
      started_at: new Date(clock.now()).toISOString(),
      resolved_at: null,
      duration_seconds: null,
      notifications_sent: [],
      events: [{ type: 'opened', actor: 'system' }],
      decision: null,
    });
    t.ok(shown.headers.get('etag'));
    t.equal((await request('GET', `/api/v1/alerts/${incident._id}`)).status, 200, 'the other prefix works too');
  });

  await t.test('acknowledge, silence, resolve; then 409', async (t) => {
    const [incident] = (await request<IncidentDetail[]>('GET', '/v1/alerts?status=firing')).body.data;
    const path = `/v1/alerts/${incident?.id}`;
    await clock.advance(90_000);
    const acknowledged = await request('POST', `${path}/acknowledge`);
    t.equal(acknowledged.status, 200, 'without a body');
    t.match(acknowledged.body.data, { status: 'firing', acknowledged_by: app.workspace.email });
    t.same(await enqueuedEvents(), ['opened', 'acknowledged']);
    const again = await request('POST', `${path}/acknowledge`, { body: {} });
    t.equal(again.status, 200, 'idempotent');
    t.same(await enqueuedEvents(), ['opened', 'acknowledged']);
    t.equal((await request('POST', `${path}/silence`)).status, 200);
    t.match((await request('POST', `${path}/silence`)).body.data, { status: 'silenced' });
    const resolved = await request<IncidentDetail>('POST', `${path}/resolve`);
    t.match(resolved.body.data, { status: 'resolved', resolution: 'manual', duration_seconds: 90 });
    const before = `Picket has not seen a recovery. Before: ${incident?.['message']}`;
    t.equal(resolved.body.data.message, `Resolved by ${app.workspace.email}; ${before}`);
    t.same(
      muted,
      [{ monitorId: MONITOR, untilMs: clock.now() + 600_000 }],
      'the monitor is muted for the grace period',
    );
    for (const verb of ['acknowledge', 'silence', 'resolve']) {
      const { status, body } = await request('POST', `${path}/${verb}`);
      t.match({ status, code: body.code }, { status: 409, code: 'conflict' }, `${verb} after resolve`);
    }
    t.same(await enqueuedEvents(), ['opened', 'acknowledged', 'resolved']);
    const actions = await mongo.db.collection('audit_log').find().sort({ _id: 1 }).toArray();
    t.same(
      actions.map((entry) => entry['action']),
      ['alert.acknowledged', 'alert.silenced', 'alert.resolved'],
      'one audit entry per change, none without a change',
    );
    t.equal((await request('POST', `/v1/alerts/${MISSING}/resolve`)).status, 404);
    t.equal((await request('GET', '/v1/alerts/inc_1')).status, 404, 'an invalid ID is not found');
    t.equal((await request('POST', `${path}/resolve`, { body: { note: 'x' } })).status, 422, 'unknown fields');
  });

  await t.test('scopes and workspaces', async (t) => {
    const incident = await open();
    const reader = await buildKey(mongo, app.workspace, { scopes: ['alerts:read'] });
    const writer = await buildKey(mongo, app.workspace, { scopes: ['alerts:write'] });
    const foreign = await buildKey(mongo, await buildWorkspace(mongo, {}));
    const path = `/v1/alerts/${incident._id}`;
    t.equal((await request('GET', path, { key: reader.key })).status, 200);
    t.equal((await request('GET', path, { key: writer.key })).status, 403);
    t.equal((await request('POST', `${path}/resolve`, { key: reader.key })).status, 403);
    t.equal((await request('GET', path, { key: foreign.key })).status, 404);
    t.equal((await request('POST', `${path}/resolve`, { key: foreign.key })).status, 404);
    t.same((await request('GET', '/v1/alerts', { key: foreign.key })).body.data, []);
    t.equal((await request('POST', `${path}/resolve`, { key: writer.key })).status, 200);
  });

  await t.test('the list: filters, order, and paging while incidents are added', async (t) => {
    const ids: string[] = [];
    for (let index = 0; index < 12; index++) {
      await clock.advance(1_000);
      const incident = await open({
        subject: `monitor:${index}`,
        monitor: { id: OTHER, name: 'Blog' },
        severity: index % 2 === 0 ? 'warning' : 'info',
        // Two incidents start at the same moment.
        startedAtMs: clock.now() - (clock.now() % 2_000),
      });
      ids.push(incident._id);
    }
    const filtered = `/v1/alerts?monitor_id=${OTHER}`;
    const first = await request<IncidentDetail[]>('GET', `${filtered}&limit=5`);
    await open({ subject: 'monitor:new', monitor: { id: OTHER, name: 'Blog' } });
    const walked = first.body.data.map((row) => row.id);
    let cursor = first.body.next_cursor;
    while (cursor !== null && cursor !== undefined) {
      const page = await request<IncidentDetail[]>('GET', `${filtered}&limit=5&cursor=${cursor}`);
      walked.push(...page.body.data.map((row) => row.id));
      cursor = page.body.next_cursor;
    }
    t.same([...walked].sort(), [...ids].sort(), 'each incident that existed at the start exactly once');
    const started = (await request<IncidentDetail[]>('GET', `${filtered}&limit=200`)).body.data.map(
      (row) => row.started_at,
    );
    t.same(started, [...started].sort().reverse(), 'newest first');
    t.equal((await request<IncidentDetail[]>('GET', `${filtered}&severity=info`)).body.data.length, 6);
    t.equal((await request<IncidentDetail[]>('GET', `${filtered}&status=resolved`)).body.data.length, 0);
    const count = async (query: string) =>
      (await request<IncidentDetail[]>('GET', `${filtered}&limit=200&${query}`)).body.data.length;
    t.same(
      await Promise.all(['kind=monitor', 'kind=certificate', 'q=bLo', 'q=.*', 'kind=monitor&q=backup'].map(count)),
      [...[started.length, 0, started.length, 0, 0]],
    );
    const from = new Date(clock.now() - 4_000).toISOString();
    const some = await request<IncidentDetail[]>(
      'GET',
      `${filtered}&from=${from}&to=${new Date(clock.now()).toISOString()}`,
    );
    t.ok(some.body.data.length >= 3 && some.body.data.length <= 6, `${some.body.data.length} in the window`);
    for (const bad of [
      'status=open',
      'severity=high',
      'kind=fire',
      'q=',
      'limit=201',
      'from=yesterday',
      'x=1',
      'cursor=abc',
    ]) {
      t.equal((await request('GET', `/v1/alerts?${bad}`)).status, 422, bad);
    }
    const reversed = `/v1/alerts?from=${new Date(clock.now()).toISOString()}&to=${from}`;
    t.equal((await request('GET', reversed)).status, 422, 'from after to');
  });

  await t.test('an incident contains its notifications, alone and in lists', async (t) => {
    const incident = await open({ subject: 'monitor:notified' });
    const path = `/v1/alerts/${incident._id}`;
    const entry = (change: Partial<NotificationSent>): NotificationSent => ({
      channel: 'email',
      channel_id: 'chn_1',
      event: 'opened',
      sent_at_ms: null,
      status: 'pending',
      attempts: 0,
      error: null,
      next_attempt_ms: null,
      latest_attempts: [],
      ...change,
    });
    const key = `${app.workspace.id} ${incident._id}`;
    sent.set(key, [entry({}), entry({ event: 'resolved' })]);
    const before = await request<IncidentDetail>('GET', path);
    t.match(before.body.data.notifications_sent, [
      { channel: 'email', channel_id: 'chn_1', event: 'opened', status: 'pending', attempts: 0, sent_at: null },
      { event: 'resolved' },
    ]);
    sent.set(key, [entry({ status: 'sent', attempts: 2, sent_at_ms: clock.now() }), entry({ event: 'resolved' })]);
    const after = await request<IncidentDetail>('GET', path);
    const at = new Date(clock.now()).toISOString();
    t.match(after.body.data.notifications_sent, [{ status: 'sent', attempts: 2, sent_at: at }, { sent_at: null }]);
    t.not(after.headers.get('etag'), before.headers.get('etag'), 'a new attempt changes the version');
    const list = await request<IncidentDetail[]>('GET', '/v1/alerts?limit=200');
    const listed = list.body.data.find((one) => one.id === incident._id);
    const short = after.body.data.notifications_sent.map(
      ({ next_attempt_at: _, latest_attempts: __, ...rest }) => rest,
    );
    t.same(listed?.notifications_sent, short, 'lists leave out the attempts');
    t.same(list.body.data.find((one) => one.id !== incident._id)?.notifications_sent, []);
  });

  await t.test('the timeline merges incidents and audit entries', async (t) => {
    const all = await request<{ id: string; type: string; at: string }[]>('GET', '/v1/timeline?limit=200');
    const types = new Set(all.body.data.map((line) => line.type));
    for (const type of ['incident.opened', 'incident.acknowledged', 'incident.resolved', 'audit.alert.resolved']) {
      t.ok(types.has(type), type);
    }
    const times = all.body.data.map((line) => line.at);
    t.same(times, [...times].sort().reverse(), 'newest first');
    const walked: string[] = [];
    let next = '';
    do {
      const page = await request<{ id: string }[]>('GET', `/v1/timeline?limit=7${next}`);
      walked.push(...page.body.data.map((line) => line.id));
      next = typeof page.body.next_cursor === 'string' ? `&cursor=${page.body.next_cursor}` : '';
    } while (next !== '');
    t.same(
      walked,
      all.body.data.map((line) => line.id),
      'paging returns the same entries',
    );
    const one = await request<{ type: string }[]>('GET', `/v1/timeline?resource_id=${MONITOR}&limit=200`);
    t.ok(one.body.data.length > 0 && one.body.data.every((line) => line.type.startsWith('incident.')));
    t.equal((await request('GET', '/v1/timeline?resource_id=')).status, 422);
  });
});
