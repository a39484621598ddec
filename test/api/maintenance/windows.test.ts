import t from 'tap';
import type { MaintenanceWindow } from '../../../control-plane/maintenance/schema.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { MONITOR, PATH, SERVER, startMaintenance } from '../../helpers/maintenance/start.js';

const { app, mongo, clock, at, created, active, actions } = await startMaintenance(t);
const HOUR = 60;

t.test('create, read, list, change, delete: Location, ETag, audit entries', async (t) => {
  const answer = await app.request<MaintenanceWindow>('POST', PATH, { body: active(HOUR, { monitor_ids: [MONITOR] }) });
  const window = answer.body.data;
  t.equal(answer.status, 201);
  t.equal(answer.headers.get('location'), `${PATH}/${window.id}`);
  t.match(window, {
    ...{ id: /^mnt_[0-9a-hjkmnp-tv-z]{26}$/, name: 'Upgrade', state: 'active', recurrence: null, everything: false },
    ...{
      active_until: at(HOUR),
      starts_at: at(0),
      ends_at: at(HOUR),
      monitor_ids: [MONITOR],
      server_ids: [],
      tags: [],
    },
    next_occurrences: [{ starts_at: at(0), ends_at: at(HOUR) }],
  });
  t.same((await app.request('GET', `${PATH}/${window.id}`)).body.data, window);
  const later = await created({ ...active(HOUR, { tags: ['db'] }), starts_at: at(30) });
  t.equal(later.state, 'scheduled');
  const page = await app.request<MaintenanceWindow[]>('GET', `${PATH}?limit=1`);
  t.same(page.body.data, [later], 'newest first');
  const rest = await app.request<MaintenanceWindow[]>('GET', `${PATH}?limit=1&cursor=${page.body.next_cursor}`);
  t.same(rest.body.data, [window]);

  const stale = { headers: { 'if-match': '"9"' } };
  t.equal((await app.request('PATCH', `${PATH}/${window.id}`, { body: { name: 'x' }, ...stale })).status, 412);
  const renamed = await app.request('PATCH', `${PATH}/${window.id}`, { body: { name: 'Move', server_ids: [SERVER] } });
  t.match(renamed.body.data, { name: 'Move', monitor_ids: [MONITOR], server_ids: [SERVER], ends_at: window.ends_at });
  t.equal(renamed.headers.get('etag'), '"2"');
  t.equal((await app.request('DELETE', `${PATH}/${window.id}`, stale)).status, 412);
  t.equal((await app.request('DELETE', `${PATH}/${window.id}`)).status, 204);
  t.equal((await app.request('GET', `${PATH}/${window.id}`)).status, 404);
  t.same(
    await actions(),
    ['created', 'created', 'updated', 'deleted'].map((verb) => `maintenance.${verb}`),
  );
});

t.test('another workspace sees and changes nothing of it', async (t) => {
  const window = await created(active(HOUR, { everything: true }));
  const { key } = await buildKey(mongo, await buildWorkspace(mongo, {}));
  const path = `${PATH}/${window.id}`;
  t.same((await app.request('GET', PATH, { key })).body.data, []);
  for (const [method, where, body] of [
    ['GET', path],
    ['PATCH', path, { name: 'mine' }],
    ['DELETE', path],
    ['POST', `${path}/end`],
    ['POST', `${path}/extend`, { minutes: 5 }],
  ] as const) {
    t.equal((await app.request(method, where, { key, body })).status, 404, `${method} ${where}`);
  }
});

t.test('what is wrong is refused with its field', async (t) => {
  const cron = (fields: object) => ({
    ...{ name: 'x', everything: true },
    recurrence: { cron: '0 2 * * *', time_zone: 'Europe/Berlin', duration_minutes: 60, ...fields },
  });
  const rule = (rrule: string) => ({ ...cron({ cron: null, rrule }), starts_at: '2031-01-01T00:00:00Z' });
  const once = active(HOUR, { everything: true });
  for (const [body, path] of [
    [{ name: 'x', everything: true }, '/starts_at'],
    [{ ...once, ends_at: at(-1) }, '/ends_at'],
    [{ ...once, starts_at: at(-10), ends_at: at(-1) }, '/ends_at'],
    [{ ...once, ends_at: at(91 * 24 * HOUR) }, '/ends_at'],
    [active(HOUR, {}), '/monitor_ids'],
    [active(HOUR, { everything: true, tags: ['db'] }), '/everything'],
    [active(HOUR, { monitor_ids: [MONITOR, MONITOR.replace('01', '02')] }), '/monitor_ids/1'],
    [active(HOUR, { server_ids: [SERVER.replace('01', '02')] }), '/server_ids/0'],
    [cron({ cron: '0 25 * * *' }), '/recurrence/cron'],
    [cron({ cron: '0 0 2 * * *' }), '/recurrence/cron'],
    [cron({ cron: '0 0 31 2 *' }), '/recurrence/cron'],
    [cron({ time_zone: 'Europe/Nowhere' }), '/recurrence/time_zone'],
    [cron({ cron: '0 * * * *' }), '/recurrence/duration_minutes'],
    [cron({ duration_minutes: 4 }), '/recurrence/duration_minutes'],
    [{ ...cron({}), ends_at: at(1) }, '/recurrence/cron'],
    [cron({ rrule: 'FREQ=DAILY' }), '/recurrence'],
    [cron({ cron: null }), '/recurrence'],
    [cron({ cron: null, rrule: 'FREQ=DAILY' }), '/starts_at'],
    [rule('FREQ=HOURLY'), '/recurrence/rrule'],
    [rule('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'), '/recurrence/rrule'],
    [rule('FREQ=DAILY;UNTIL=20200101T000000Z'), '/recurrence/rrule'],
    [rule('FREQ=DAILY;BYHOUR=1,2'), '/recurrence/duration_minutes'],
    [rule('F'.repeat(501)), '/recurrence/rrule'],
    [{ ...rule('FREQ=DAILY'), starts_at: '2031-01-01T00:00:00.500Z' }, '/starts_at'],
  ] as const) {
    const answer = await app.request('POST', PATH, { body });
    t.equal(answer.status, 422, JSON.stringify(body));
    t.equal(answer.body.errors?.[0]?.path, path, JSON.stringify(body));
  }
  const window = await created(once);
  const recurrence = cron({}).recurrence;
  t.equal((await app.request('PATCH', `${PATH}/${window.id}`, { body: { recurrence } })).status, 422);
});

t.test('a preview has the occurrences of a schedule and stores nothing', async (t) => {
  const before = (await app.request<unknown[]>('GET', PATH)).body.data.length;
  const recurrence = { cron: '30 2 * * *', time_zone: 'Europe/Berlin', duration_minutes: 60 };
  const body = { recurrence, starts_at: '2026-03-28T00:00:00Z' };
  const { data } = (await app.request<{ occurrences: object[] }>('POST', `${PATH}/preview`, { body })).body;
  t.equal(data.occurrences.length, 10);
  t.same(data.occurrences.slice(0, 3), [
    { starts_at: '2026-03-28T01:30:00.000Z', ends_at: '2026-03-28T02:30:00.000Z' },
    { starts_at: '2026-03-29T01:30:00.000Z', ends_at: '2026-03-29T02:30:00.000Z' },
    { starts_at: '2026-03-30T00:30:00.000Z', ends_at: '2026-03-30T01:30:00.000Z' },
  ]);
  t.equal((await app.request<unknown[]>('GET', PATH)).body.data.length, before);
});

t.test('a window repeats by a recurrence rule, from its start on', async (t) => {
  const berlin = { time_zone: 'Europe/Berlin', duration_minutes: 60 };
  const window = await created({
    name: 'Second Sundays',
    everything: true,
    starts_at: '2031-03-01T01:30:00Z',
    counts_in_uptime: false,
    recurrence: { rrule: 'rrule:freq=monthly;byday=2su,-1su;count=3', ...berlin },
  });
  t.match(window, {
    state: 'scheduled',
    counts_in_uptime: false,
    recurrence: { cron: null, rrule: 'FREQ=MONTHLY;BYDAY=2SU,-1SU;COUNT=3', ...berlin },
  });
  t.same(window.next_occurrences, [
    { starts_at: '2031-03-09T01:30:00.000Z', ends_at: '2031-03-09T02:30:00.000Z' },
    // Clocks are set forward from 02:00 to 03:00 on this day.
    { starts_at: '2031-03-30T01:30:00.000Z', ends_at: '2031-03-30T02:30:00.000Z' },
    { starts_at: '2031-04-13T00:30:00.000Z', ends_at: '2031-04-13T01:30:00.000Z' },
  ]);
  const path = `${PATH}/${window.id}`;
  const same = await app.request('PATCH', path, { body: { recurrence: window.recurrence } });
  t.equal(same.headers.get('etag'), '"1"', 'what was read can be sent back');
  const cron = { cron: '0 2 * * SUN', ...berlin };
  const changed = await app.request('PATCH', path, { body: { recurrence: cron, counts_in_uptime: true } });
  t.match(changed.body.data, { recurrence: { ...cron, rrule: null }, counts_in_uptime: true });
  const repeats = await app.request('PATCH', path, { body: { recurrence: { rrule: 'FREQ=DAILY;X=1', ...berlin } } });
  t.match(repeats.body.errors, [{ path: '/recurrence/rrule', message: /only FREQ, .*; not X$/ }]);
});

t.test(
  'maintenance under way is extended and ended early; what repeats has its next occurrence as planned',
  async (t) => {
    const once = await created(active(HOUR, { everything: true }));
    const extended = await app.request('POST', `${PATH}/${once.id}/extend`, { body: { minutes: 30 } });
    t.match(extended.body.data, { ends_at: at(90), active_until: at(90) });
    const ended = await app.request('POST', `${PATH}/${once.id}/end`);
    t.match(ended.body.data, { state: 'ended', ends_at: at(0), active_until: null, next_occurrences: [] });
    t.equal((await app.request('POST', `${PATH}/${once.id}/end`)).status, 409);
    t.equal((await app.request('POST', `${PATH}/${once.id}/extend`, { body: { minutes: 1 } })).status, 409);

    const now = new Date(clock.now());
    const nightly = {
      ...{ name: 'Nightly', everything: true },
      recurrence: {
        ...{ cron: `${now.getUTCMinutes()} ${now.getUTCHours()} * * *`, time_zone: 'Etc/UTC', duration_minutes: 60 },
      },
      starts_at: at(-1),
    };
    const daily = await created(nightly);
    const [first, second] = daily.next_occurrences;
    t.match(daily, { state: 'active', active_until: first?.ends_at });
    const end = Date.parse(first?.ends_at ?? '');
    const longer = await app.request('POST', `${PATH}/${daily.id}/extend`, { body: { minutes: 15 } });
    const later = new Date(end + 15 * 60_000).toISOString();
    t.match(longer.body.data, { active_until: later, next_occurrences: [{ ends_at: later }, second] });
    const cut = await app.request<MaintenanceWindow>('POST', `${PATH}/${daily.id}/end`);
    t.match(cut.body.data, { state: 'scheduled', active_until: null });
    t.same(cut.body.data.next_occurrences[0], second);
    t.same((await actions()).slice(-5), [
      'maintenance.extended',
      'maintenance.ended',
      'maintenance.created',
      'maintenance.extended',
      'maintenance.ended',
    ]);

    const wide = await created({ ...nightly, name: 'Wide' });
    await app.request('POST', `${PATH}/${wide.id}/extend`, { body: { minutes: 25 * 60 } });
    const ended2 = await app.request<MaintenanceWindow>('POST', `${PATH}/${wide.id}/end`);
    t.same(
      ended2.body.data.next_occurrences[0],
      wide.next_occurrences[1],
      'added time takes nothing from the next one',
    );
  },
);

t.test('a workspace on Enterprise has 500 windows at most', async (t) => {
  const collection = mongo.db.collection<{ _id: string }>('maintenance_windows');
  const present = await collection.countDocuments({ workspace_id: app.workspace.id });
  const rows = Array.from({ length: 499 - present }, (_, index) => ({
    ...{ _id: `mnt_full${index}`, workspace_id: app.workspace.id },
  }));
  await collection.insertMany(rows);
  const body = active(HOUR, { everything: true });
  const answers = await Promise.all([1, 2, 3].map(() => app.request('POST', PATH, { body })));
  t.same(answers.map(({ status }) => status).sort(), [201, 409, 409], 'also when several are created at once');
});
