import t from 'tap';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import type { Monitor } from '../../../control-plane/monitors/schema.js';
import type { MonitorSummary } from '../../../control-plane/monitors/summary/schema.js';
import { testClock } from '../../helpers/clock.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { monitorActions, shop } from '../../helpers/monitors/actions.js';
import { startMonitorsApp } from '../../helpers/monitors/app.js';

/** Rows are kept for some seconds. A slow machine must not use them up. */
const clock = testClock(Date.now());
const app = await startMonitorsApp({ clock });
t.teardown(() => app.stop());
const { create } = monitorActions(app);
const PATH = '/v1/monitors/summary';
const DAY_MS = 86_400_000;

const read = (query = '') => app.request<MonitorSummary[]>('GET', `${PATH}${query}`);
const change = (id: string, set: Partial<MonitorDocument>) =>
  app.mongo.db.collection<MonitorDocument>('monitors').updateOne({ _id: id }, { $set: set });

t.test('a row has what the monitor has, and no secrets', async (t) => {
  const url = 'https://ana:secret@shop.example.com/';
  const { id } = await create({ ...shop, url, name: 'Shop', tags: ['production'] });
  const nowMs = Date.now();
  const window = { uptime: 99.5, coverage: 98 };
  await change(id, {
    last_checked_at_ms: nowMs,
    good: {
      fra: { checked_at_ms: nowMs, response_time_ms: 40.2 },
      nyc: { checked_at_ms: nowMs, response_time_ms: 80 },
    },
    certificate: {
      ...{ grade: 'A+', not_after_ms: nowMs + 9.5 * DAY_MS, fingerprint: 'f', issuer: 'i', subject: 's' },
      checked_at_ms: nowMs,
    },
    uptime: { computed_at_ms: nowMs, day: window, week: window, month: { uptime: 99.9, coverage: 50 } },
  });
  const { status, body } = await read();
  t.equal(status, 200);
  const monitor = (await app.request<Monitor>('GET', `/v1/monitors/${id}`)).body.data;
  t.same(body, {
    data: [
      {
        ...{ id, name: 'Shop', url: 'https://***@shop.example.com/', type: 'http', status: 'up', tags: ['production'] },
        state: 'up',
        status_changed_at: monitor.status_changed_at,
        ...{ uptime_24h: 99.5, coverage_24h: 98, uptime_30d: 99.9, coverage_30d: 50 },
        response_time_ms: monitor.response_time_ms,
        certificate_days_remaining: 9,
      },
    ],
    next_cursor: null,
  });
  t.equal(monitor.response_time_ms, 60);
});

t.test('a paused monitor, one without a certificate, one that nobody has checked', async (t) => {
  const { id } = await create({ name: 'Mail', url: 'mx.example.com:25', type: 'tcp' });
  await app.request('POST', `/v1/monitors/${id}/pause`);
  const [row] = (await read(`?ids=${id}`)).body.data;
  const { paused_at } = (await app.request<Monitor>('GET', `/v1/monitors/${id}`)).body.data;
  t.match(row, {
    ...{ status: 'paused', status_changed_at: paused_at, uptime_24h: null, coverage_24h: 0 },
    ...{ response_time_ms: null, certificate_days_remaining: null },
  });
});

t.test('pages, selected monitors, and limits', async (t) => {
  const all = (await read()).body.data;
  t.equal(all.length, 2);
  const first = await read('?limit=1');
  t.same(first.body.data, all.slice(0, 1), 'the newest first');
  const cursor = (first.body as unknown as { next_cursor: string }).next_cursor;
  t.same((await read(`?limit=1&cursor=${cursor}`)).body.data, all.slice(1));
  const unknown = 'mon_01kf5e6q0h3v8r2m9x4t7c1z5n';
  t.same((await read(`?ids=${all[1]?.id},${unknown},${all[1]?.id}`)).body.data, all.slice(1), 'each once');
  const refused = async (query: string) => (await read(query)).status;
  t.same(await Promise.all(['?limit=10001', '?ids=', '?ids=shop', `?ids=${Array(101).fill(unknown)}`].map(refused)), [
    ...[422, 422, 422, 422],
  ]);
  t.equal(await refused(`?ids=${Array(100).fill(unknown)}`), 200);
});

t.test('pages of all sizes share one read, and a budget', async (t) => {
  const all = (await read()).body.data;
  // A read would find it.
  const [{ id, url } = { id: '', url: '' }] = all;
  await change(id, { url: 'read-again.example:25' });
  const first = await read('?limit=1');
  t.same(first.body.data, all.slice(0, 1));
  const { next_cursor } = first.body as unknown as { next_cursor: string };
  t.same((await read(`?cursor=${next_cursor}&limit=5`)).body.data, all.slice(1), 'also a later page');
  const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => read(`?limit=${10_000 - n}`)));
  const [served, refused] = [200, 429].map((wanted) => answers.filter(({ status }) => status === wanted));
  t.equal((served?.length ?? 0) + (refused?.length ?? 0), answers.length);
  for (const { body } of served ?? []) t.same(body.data, all);
  t.ok((served?.length ?? 0) >= 29);
  t.ok((refused?.length ?? 0) > 0);
  t.ok(Number(refused?.[0]?.headers.get('retry-after')) > 0);
  t.equal((await read()).status, 200, 'the whole list is free');
  const other = await buildKey(app.mongo, await buildWorkspace(app.mongo));
  t.equal(
    (await app.request('GET', `${PATH}?limit=10000`, { key: other.key })).status,
    200,
    'and other workspaces are',
  );
  await change(id, { url });
  // The budget is full again, and nothing is kept.
  clock.stall(60_000);
});

t.test('an answer that is kept is never older than a change', async (t) => {
  const [row] = (await read()).body.data;
  const id = row?.id ?? '';
  const shown = async () => (await read()).body.data.find((one) => one.id === id);
  await app.request('PATCH', `/v1/monitors/${id}`, { body: { name: 'Renamed' } });
  t.equal((await shown())?.name, 'Renamed', 'a setting');
  await app.request('POST', `/v1/monitors/${id}/resume`);
  t.equal((await shown())?.status, 'up');
  const state = { ...(await app.mongo.db.collection<MonitorDocument>('monitors').findOne({ _id: id }))?.state };
  await change(id, { state: { ...(state as MonitorDocument['state']), status: 'down' } });
  t.equal((await shown())?.status, 'down', 'a verdict');
  const { id: added } = await create({ ...shop, name: 'Added' });
  t.ok((await read()).body.data.some((one) => one.id === added));
  await app.request('DELETE', `/v1/monitors/${added}`);
  t.notOk((await read()).body.data.some((one) => one.id === added));
  await change(id, { url: 'changed without a note' });
  t.not((await shown())?.url, 'changed without a note', 'otherwise it is kept');
});

t.test('after a change, only the rows that changed are read again', async (t) => {
  const made = [await create({ ...shop, name: 'First' }), await create({ ...shop, name: 'Second' })];
  const [{ id: first } = { id: '' }, { id: second } = { id: '' }] = made;
  const rows = async () => (await read()).body.data;
  await rows();
  // What was written just now may still become visible, so it is read again.
  const longAgo = new Date(Date.now() - 600_000);
  await app.mongo.db.collection('monitor_changes').updateMany({}, { $set: { at: longAgo } });
  await app.request('PATCH', `/v1/monitors/${first}`, { body: { name: 'Renamed' } });
  const before = await rows();
  await change(second, { url: 'https://changed-without-a-note.example/' });
  await app.request('PATCH', `/v1/monitors/${first}`, { body: { name: 'Renamed again' } });
  t.same(
    await rows(),
    before.map((row) => (row.id === first ? { ...row, name: 'Renamed again' } : row)),
  );
  const { id: third } = await create({ ...shop, name: 'Third' });
  t.same(
    (await rows()).map(({ id }) => id),
    [third, ...before.map(({ id }) => id)],
    'the newest first',
  );
  await app.request('DELETE', `/v1/monitors/${first}`);
  const after = await rows();
  t.notOk(after.some(({ id }) => id === first));
  t.equal(after.find(({ id }) => id === second)?.url, before.find(({ id }) => id === second)?.url, 'still kept');
});

t.test('the compressed answer is for clients that accept it', async (t) => {
  const as = (encoding: string) =>
    app.request<MonitorSummary[]>('GET', PATH, { headers: { 'accept-encoding': encoding } });
  const [gzip, plain] = [await as('gzip'), await as('identity')];
  t.equal(gzip.headers.get('content-encoding'), 'gzip');
  t.equal(plain.headers.get('content-encoding'), null);
  t.same(gzip.body, plain.body);
});

t.test('each workspace sees its own, with the scope', async (t) => {
  const [mine] = (await read()).body.data;
  const other = await buildWorkspace(app.mongo);
  const as = (key: string, path: string) => app.request<MonitorSummary[]>('GET', path, { key });
  const theirs = (await buildKey(app.mongo, other)).key;
  t.same((await as(theirs, PATH)).body.data, []);
  t.same((await as(theirs, `${PATH}?ids=${mine?.id}`)).body.data, []);
  const key = await buildKey(app.mongo, app.workspace, { scopes: ['servers:read'] });
  t.equal((await as(key.key, PATH)).status, 403);
});
