import t from 'tap';
import type { Scope } from '../../../control-plane/actor.js';
import type { Schedule } from '../../../control-plane/client-reports/schedules/schema.js';
import { NOW, PATH, startReportsApp } from '../../helpers/client-reports/app.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { startMailbox } from '../../helpers/machine/mailbox.js';

const SCHEDULES = `${PATH}/schedules`;
const BODY = {
  ...{ name: 'Monthly', cron: '0 8 1 * *', time_zone: 'Europe/Berlin', period: 'previous_month' },
  ...{ recipients: ['client@example.net'], title: 'Website report', client_name: 'Example Ltd' },
};
const mailbox = await startMailbox();
const app = await startReportsApp({ smtpUrl: mailbox.url });
t.teardown(async () => {
  await app.stop();
  await mailbox.close();
});
const create = (over: Record<string, unknown> = {}, key = app.key) =>
  app.request<Schedule>('POST', SCHEDULES, { body: { ...BODY, ...over }, key });
const audited = (action: string) =>
  app.mongo.db.collection('audit_log').countDocuments({ action, workspace_id: app.workspace.id });

t.test('a schedule is created with its next five occurrences, changed, paused, and deleted', async (t) => {
  const created = await create();
  t.match(created, {
    status: 201,
    body: {
      data: {
        ...{ id: /^sch_/, ...BODY, unconfirmed: ['client@example.net'], attach: 'pdf', enabled: true, monitors: null },
        next_occurrences: [
          '2031-02-01T07:00:00.000Z',
          '2031-03-01T07:00:00.000Z',
          '2031-04-01T06:00:00.000Z',
          '2031-05-01T06:00:00.000Z',
          '2031-06-01T06:00:00.000Z',
        ],
        created_at: new Date(NOW).toISOString(),
      },
    },
  });
  t.notOk('warnings' in created.body);
  const { id } = created.body.data;
  const path = `${SCHEDULES}/${id}`;
  t.equal(created.headers.get('location'), path);
  const read = await app.request<Schedule>('GET', path);
  t.same(read.body.data, created.body.data);
  t.match((await app.request('GET', SCHEDULES)).body.data, [{ id }]);
  const etag = read.headers.get('etag') ?? '';
  const paused = await app.request<Schedule>('PATCH', path, {
    body: { enabled: false },
    headers: { 'if-match': etag },
  });
  t.match(paused, { status: 200, body: { data: { enabled: false, next_occurrences: [], title: BODY.title } } });
  t.equal((await app.request('PATCH', path, { body: { enabled: true }, headers: { 'if-match': etag } })).status, 412);
  const again = await app.request<Schedule>('PATCH', path, {
    body: { enabled: true, cron: '0 6 * * MON', sections: { alerts: false }, branding: { color: '#ABCDEF' } },
  });
  t.match(again.body.data, {
    ...{ sections: { alerts: false, ssl_domain: true }, branding: { color: '#abcdef', has_logo: false } },
    next_occurrences: ['2031-02-03T05:00:00.000Z'],
  });
  t.equal((await app.request('PATCH', path, { body: { cron: '0 6 * * MON' } })).status, 200);
  t.equal((await app.request('DELETE', path)).status, 204);
  t.equal((await app.request('GET', path)).status, 404);
  t.equal((await app.request('GET', `${path}/runs`)).status, 404);
  t.same(
    await Promise.all(['created', 'updated', 'deleted'].map((what) => audited(`report.schedule_${what}`))),
    [1, 2, 1],
    'an update without changes is no change',
  );
});

t.test('days that some months do not have are explained when the schedule is made', async (t) => {
  const created = await create({ cron: '0 8 31 * *' });
  t.match(created, { status: 201, body: { warnings: [/February, April, .*no 31st\. Use L/] } });
  const path = `${SCHEDULES}/${created.body.data.id}`;
  const changed = await app.request('PATCH', path, { body: { cron: '0 8 L * *' } });
  t.notOk('warnings' in changed.body);
});

t.test('a preview names the next occurrences as a schedule has them, and stores nothing', async (t) => {
  const preview = (body: object) =>
    app.request<{ next_occurrences: string[] }>('POST', `${SCHEDULES}/preview`, { body });
  const before = (await app.request<Schedule[]>('GET', SCHEDULES)).body.data.length;
  const monthly = await preview({ cron: '0 8 31 * *', time_zone: 'Europe/Berlin' });
  t.match(monthly, {
    status: 200,
    body: {
      data: {
        next_occurrences: [
          ...['2031-03-31T06:00:00.000Z', '2031-05-31T06:00:00.000Z', '2031-07-31T06:00:00.000Z'],
          ...['2031-08-31T06:00:00.000Z', '2031-10-31T07:00:00.000Z'],
        ],
      },
      warnings: [/February, April, .*no 31st\. Use L/],
    },
  });
  const plain = await preview({ cron: '0 8 L * *' });
  t.match(plain.body.data.next_occurrences[0], /T08:00:00\.000Z$/, 'the time zone is UTC without one');
  t.notOk('warnings' in plain.body);
  t.match((await preview({ cron: '0 * * * *' })).body, { errors: [{ path: '/cron' }] });
  t.match((await preview({ cron: '0 8 * * *', time_zone: 'Mars/Base' })).body, { errors: [{ path: '/time_zone' }] });
  t.equal((await app.request<Schedule[]>('GET', SCHEDULES)).body.data.length, before);
});

t.test('what is wrong is refused with its field', async (t) => {
  const cases: [Record<string, unknown>, string][] = [
    [{ cron: '0 8 * *' }, '/cron'],
    [{ cron: '0 * * * *' }, '/cron'],
    [{ cron: '0 0 30 2 *' }, '/cron'],
    [{ time_zone: 'Mars/Base' }, '/time_zone'],
    [{ period: 'yesterday' }, '/period'],
    [{ recipients: [] }, '/recipients'],
    [{ recipients: ['no address'] }, '/recipients/0'],
    [{ monitors: { ids: [`mon_${'0'.repeat(26)}`] } }, '/monitors/ids/0'],
    [{ branding: { logo: 'data:image/png;base64,AAAA' } }, '/branding/logo'],
  ];
  for (const [over, path] of cases) {
    const refused = await create(over);
    t.match(refused, { status: 422, body: { errors: [{ path }] } }, JSON.stringify(over));
  }
});

t.test('a recipient who is no member is asked once, and is confirmed by no other way', async (t) => {
  const before = mailbox.mails.length;
  const { body } = await create({ recipients: ['New@example.net', 'new@EXAMPLE.net', app.workspace.email] });
  t.same(body.data.recipients, ['New@example.net', app.workspace.email]);
  t.same(body.data.unconfirmed, ['New@example.net']);
  await mailbox.arrived(before + 1);
  await create({ recipients: ['new@example.net'] });
  t.same(
    mailbox.mails.slice(before).map(({ to }) => to),
    [['New@example.net'.toLowerCase()]],
  );
});

t.test('a logo is kept until it is removed', async (t) => {
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
  const created = await create({ branding: { logo: `data:image/png;base64,${pixel}` } });
  t.equal(created.status, 201, created.text);
  const { id, branding } = created.body.data;
  t.equal(branding.has_logo, true);
  t.equal(await app.parts(id), 1);
  const removed = await app.request('PATCH', `${SCHEDULES}/${id}`, { body: { branding: { logo: null } } });
  t.match(removed.body.data, { branding: { has_logo: false } });
  t.equal(await app.parts(id), 0);
});

t.test('the number is limited by the plan', async (t) => {
  const small = await startReportsApp({ plan: 'Free', beside: { mongo: app.mongo } });
  t.teardown(() => small.stop());
  const make = () => small.request('POST', SCHEDULES, { body: BODY });
  t.equal((await make()).status, 201);
  t.match(await make(), { status: 402, body: { code: 'plan_limit', detail: /1 report schedule\b/ } });
});

t.test('of another workspace, nothing is seen or changed', async (t) => {
  const { id } = (await create()).body.data;
  const other = await buildWorkspace(app.mongo);
  const { key } = await buildKey(app.mongo, other);
  for (const [method, path, body] of [
    ['GET', `${SCHEDULES}/${id}`, undefined],
    ['GET', `${SCHEDULES}/${id}/runs`, undefined],
    ['PATCH', `${SCHEDULES}/${id}`, { enabled: false }],
    ['DELETE', `${SCHEDULES}/${id}`, undefined],
  ] as const) {
    const refused = await app.request(method, path, { key, ...(body === undefined ? {} : { body }) });
    t.match(refused, { status: 404, body: { detail: 'No such report schedule.' } });
  }
  t.same((await app.request('GET', SCHEDULES, { key })).body.data, []);
  const monitor = await app.addMonitor({ name: 'Foreign' });
  t.equal((await create({ monitors: { ids: [monitor._id] } }, key)).status, 422, 'nor are its monitors');
  t.equal((await app.request<Schedule>('GET', `${SCHEDULES}/${id}`)).body.data.enabled, true);
});

t.test('reports:read sees schedules, reports:write changes them', async (t) => {
  const reader = await buildKey(app.mongo, app.workspace, { scopes: ['reports:read'] });
  const writer = await buildKey(app.mongo, app.workspace, { scopes: ['reports:write'] });
  t.equal((await create({}, reader.key)).status, 403);
  const { id } = (await create()).body.data;
  const patch = (key: string) =>
    app.request('PATCH', `${SCHEDULES}/${id}`, { key, body: { name: 'Changed', enabled: false } });
  t.equal((await patch(writer.key)).status, 200);
  t.equal((await patch(reader.key)).status, 403);
  t.equal((await app.request('GET', `${SCHEDULES}/${id}`, { key: reader.key })).status, 200);
  t.equal((await app.request('GET', `${SCHEDULES}/${id}`, { key: writer.key })).status, 403);
  t.equal((await app.request('DELETE', `${SCHEDULES}/${id}`, { key: reader.key })).status, 403);
});

t.test('a key sends nobody what it may not read, nor what would go on when it has ended', async (t) => {
  const { key: writer } = await buildKey(app.mongo, app.workspace, { scopes: ['reports:write'] });
  t.match(await create({}, writer), { status: 403, body: { code: 'insufficient_scope' } });
  const scopes: Scope[] = ['reports:read', 'reports:write'];
  const { key: expiring } = await buildKey(app.mongo, app.workspace, { scopes, expiresAtMs: NOW + 3_600_000 });
  const refused = { status: 403, body: { code: 'forbidden', detail: /key with an expiry/ } };
  t.match(await create({}, expiring), refused);
  const { body } = await create({ recipients: ['first@example.net'] });
  const patch = (change: object) =>
    app.request('PATCH', `${SCHEDULES}/${body.data.id}`, { body: change, key: expiring });
  t.match(await patch({ recipients: ['first@example.net', 'second@example.net'] }), refused);
  t.match(await patch({ recipients: ['First@example.net'], enabled: false }), { status: 200 }, 'nobody is added');
});

t.test('the reply names recipients that could not be asked today', async (t) => {
  const sender = await buildWorkspace(app.mongo, { plan: 'Enterprise' });
  const { key } = await buildKey(app.mongo, sender);
  let warnings: readonly string[] = [];
  // A person asks 50 a day at most.
  for (let batch = 0; batch < 3; batch++) {
    const recipients = Array.from({ length: 20 }, (_, index) => `quota-${batch}-${index}@example.net`);
    const created = await create({ recipients, enabled: false }, key);
    t.equal(created.status, 201);
    warnings = (created.body as { warnings?: readonly string[] }).warnings ?? [];
    t.equal(warnings.length, batch === 2 ? 1 : 0);
  }
  t.match(warnings[0], /^Not asked, because too many .*quota-2-10@.*quota-2-19@example\.net\. They get no reports/);
  t.notMatch(warnings[0], 'quota-2-9@');
});
