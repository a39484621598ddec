import t from 'tap';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import type { MonitorTotals } from '../../../control-plane/monitors/totals/schema.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { monitorActions, shop } from '../../helpers/monitors/actions.js';
import { startMonitorsApp } from '../../helpers/monitors/app.js';

const app = await startMonitorsApp();
t.teardown(() => app.stop());
const { create } = monitorActions(app);
const PATH = '/v1/monitors/totals';
const NOW_MS = Date.now();

const read = async (key?: string) => {
  const { status, body } = await app.request<MonitorTotals>('GET', PATH, key === undefined ? {} : { key });
  t.equal(status, 200);
  return body.data;
};
const change = (id: string, set: Record<string, unknown>) =>
  app.mongo.db.collection<MonitorDocument>('monitors').updateOne({ _id: id }, { $set: set });
const checked = (id: string, set: Record<string, unknown> = {}) => change(id, { last_checked_at_ms: NOW_MS, ...set });
const month = (uptime: number | null, coverage: number) => {
  const window = { uptime, coverage };
  return { computed_at_ms: NOW_MS, day: window, week: window, month: window };
};
const failingSince = (fromVersion: number) => ({
  fra: { from_version: fromVersion, since_ms: NOW_MS, confirmed_result_id: null },
});

t.test('a workspace without monitors', async (t) => {
  t.same(await read(), {
    monitors: 0,
    by_status: { up: 0, degraded: 0, down: 0, paused: 0, unknown: 0 },
    by_type: { http: 0, tcp: 0, ping: 0 },
    ...{ uptime_30d: null, coverage_30d: 0 },
  });
});

t.test('each monitor counts once, by what is known of it', async (t) => {
  await create(shop);
  t.equal((await read()).by_status.unknown, 1, 'not checked yet');
  const up = await create({ ...shop, name: 'Up' });
  await checked(up.id, { uptime: month(100, 100) });
  const degraded = await create({ ...shop, name: 'Degraded' });
  await checked(degraded.id, { 'state.failing': failingSince(1), uptime: month(99, 50) });
  const edited = await create({ ...shop, name: 'Edited' });
  await checked(edited.id, { 'state.failing': failingSince(1), live_from_version: 2 });
  const down = await create({ name: 'Mail', url: 'mx.example.com:25', type: 'tcp' });
  await checked(down.id, { 'state.status': 'down', 'state.failing': failingSince(1) });
  const paused = await create({ name: 'Router', url: 'router.example.com', type: 'ping' });
  await checked(paused.id, { 'state.status': 'down' });
  await app.request('POST', `/v1/monitors/${paused.id}/pause`);
  t.same(await read(), {
    monitors: 6,
    by_status: { up: 2, degraded: 1, down: 1, paused: 1, unknown: 1 },
    by_type: { http: 4, tcp: 1, ping: 1 },
    // 150 % of a month were observed, of which half a percent was an outage.
    ...{ uptime_30d: 99.6666, coverage_30d: 25 },
  });
});

t.test('the uptime is 100 only without any outage', async (t) => {
  const other = await buildWorkspace(app.mongo);
  const { key } = await buildKey(app.mongo, other);
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    const { body } = await app.request<{ id: string }>('POST', '/v1/monitors', { body: { ...shop, name }, key });
    ids.push(body.data.id);
    await checked(body.data.id, { uptime: month(100, 33.3333) });
  }
  t.match(await read(key), { monitors: 3, uptime_30d: 100, coverage_30d: 33.3333 }, 'only of this workspace');
  await checked(ids[0] ?? '', { uptime: month(99.9999, 0.01) });
  t.equal((await read(key)).uptime_30d, 99.9999);
});

t.test('it needs the scope, and takes no parameters', async (t) => {
  const { key } = await buildKey(app.mongo, app.workspace, { scopes: ['servers:read'] });
  t.equal((await app.request('GET', PATH, { key })).status, 403);
  t.equal((await app.request('GET', `${PATH}?status=up`)).status, 422);
});
