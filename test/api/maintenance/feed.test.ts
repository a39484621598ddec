import t from 'tap';
import { createEndFeeds } from '../../../control-plane/maintenance/feed/operations.js';
import type { Feed } from '../../../control-plane/maintenance/feed/schema.js';
import { createFeedStore } from '../../../control-plane/maintenance/feed/store.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { parsedCalendar } from '../../helpers/calendar/parsed.js';
import { testClock } from '../../helpers/clock.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { startMaintenance } from '../../helpers/maintenance/start.js';

const PATH = '/v1/maintenance-feeds';
const DAY_MS = 86_400_000;
/** Eight days before clocks are set forward in Berlin. */
const NOW = Date.UTC(2031, 2, 22, 12);

type Created = Feed & { url: string };

const it = await startMaintenance(t, testClock(NOW));
const { app, clock, created, mongo } = it;

async function feed(name = 'Team'): Promise<Created> {
  const answer = await app.request<Created>('POST', PATH, { body: { name } });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.data;
}

/** Without any credential. */
const fetched = (url: string) => fetch(url.replace('http://picket.test', app.url));

async function events(url: string) {
  const answer = await fetched(url);
  t.equal(answer.status, 200);
  t.match(answer.headers.get('content-type'), /^text\/calendar; charset=utf-8/);
  return parsedCalendar(await answer.text()).events;
}

t.test('windows as events: the last 30 and next 60 days, right across the change of clocks', async (t) => {
  const { url } = await feed();
  t.match(url, /^http:\/\/picket\.test\/v1\/maintenance-feeds\/calendar\.ics\?token=[\w-]{43}$/);
  const weekly = await created({
    name: 'Patch day, weekly; all',
    tags: ['db'],
    starts_at: new Date(NOW).toISOString(),
    recurrence: { cron: '30 2 * * SUN', time_zone: 'Europe/Berlin', duration_minutes: 60 },
  });
  const once = await created({
    name: 'Move',
    everything: true,
    starts_at: new Date(NOW + DAY_MS).toISOString(),
    ends_at: new Date(NOW + DAY_MS + 3_600_000).toISOString(),
  });
  await created({
    name: 'Too far ahead',
    everything: true,
    starts_at: new Date(NOW + 61 * DAY_MS).toISOString(),
    ends_at: new Date(NOW + 62 * DAY_MS).toISOString(),
  });
  const all = await events(url);
  const sundays = all.filter(({ UID }) => UID.startsWith(weekly.id));
  t.equal(sundays.length, 9);
  t.same(
    sundays.slice(0, 3).map(({ DTSTART, DTEND }) => [DTSTART, DTEND]),
    [
      ['2031-03-23T01:30:00+00:00', '2031-03-23T02:30:00+00:00'],
      ['2031-03-30T01:30:00+00:00', '2031-03-30T02:30:00+00:00'],
      ['2031-04-06T00:30:00+00:00', '2031-04-06T01:30:00+00:00'],
    ],
    '02:30 does not exist on 30 March; later it is summer',
  );
  t.match(sundays[0], { SUMMARY: 'Patch day, weekly; all', DESCRIPTION: 'everything with the tag db' });
  t.match(
    all.filter(({ SUMMARY }) => SUMMARY !== weekly.name),
    [{ UID: `${once.id}@picket`, SUMMARY: 'Move', URL: `http://picket.test/maintenance/${once.id}` }],
  );

  const before = new Map(all.map((event) => [event.UID, event]));
  const moved = {
    starts_at: new Date(NOW + 2 * DAY_MS).toISOString(),
    ends_at: new Date(NOW + 3 * DAY_MS).toISOString(),
  };
  await app.request('PATCH', `/v1/maintenance-windows/${once.id}`, { body: moved });
  const after = await events(url);
  t.same(new Set(after.map(({ UID }) => UID)), new Set(before.keys()), 'each event keeps its UID');
  const changed = after.find(({ UID }) => UID === `${once.id}@picket`);
  t.equal(changed?.DTSTART, '2031-03-24T12:00:00+00:00');
  t.ok(Number(changed?.SEQUENCE) > Number(before.get(`${once.id}@picket`)?.SEQUENCE));

  clock.stall(40 * DAY_MS);
  const later = await events(url);
  t.notOk(
    later.some(({ UID }) => UID.startsWith(once.id)),
    'over for more than 30 days',
  );
  const isOver = ({ DTEND }: { DTEND: string }) => Date.parse(DTEND) <= clock.now();
  t.equal(later.filter(isOver).length, 4, 'those of the last 30 days are there');
});

t.test('an occurrence that is extended or ended early is the same event', async (t) => {
  const { url } = await feed();
  const window = await created({ ...it.active(60, { everything: true }), name: 'Under way' });
  const own = async () => (await events(url)).filter(({ UID }) => UID.startsWith(window.id));
  const [first] = await own();
  await app.request('POST', `/v1/maintenance-windows/${window.id}/extend`, { body: { minutes: 30 } });
  const [longer] = await own();
  t.equal(longer?.UID, first?.UID);
  t.equal(Date.parse(longer?.DTEND ?? '') - Date.parse(first?.DTEND ?? ''), 30 * 60_000);
  clock.stall(60_000);
  await app.request('POST', `/v1/maintenance-windows/${window.id}/end`);
  const ended = await own();
  t.match(ended, [{ UID: first?.UID, DTSTART: first?.DTSTART }]);
  t.equal(Date.parse(ended[0]?.DTEND ?? ''), clock.now());
});

t.test('a window that occurs every six minutes does not fill the calendar', async (t) => {
  const { url } = await feed();
  const often = await created({
    name: 'Often',
    everything: true,
    recurrence: { cron: '*/6 * * * *', time_zone: 'UTC', duration_minutes: 5 },
  });
  const count = async () => (await events(url)).filter(({ UID }) => UID.startsWith(often.id)).length;
  t.equal(await count(), 50);
  clock.stall(10 * DAY_MS);
  t.equal(await count(), 100, 'and 50 that are over');
  await app.request('DELETE', `/v1/maintenance-windows/${often.id}`);
  t.equal(await count(), 0);
});

t.test('the address is a secret that is shown once, and works until it is revoked', async (t) => {
  const made = await feed('Shown once');
  const token = new URL(made.url).searchParams.get('token') ?? '';
  const list = await app.request<Feed[]>('GET', PATH);
  t.match(list.body.data[0], { id: made.id, name: 'Shown once', created_by: app.workspace.email });
  t.notMatch(list.text, token);
  const stored = JSON.stringify(await mongo.db.collection('maintenance_feeds').find().toArray());
  const audit = JSON.stringify(await mongo.db.collection('audit_log').find().toArray());
  t.notMatch(stored + audit, token);
  t.match(audit, /maintenance\.feed_created/);

  const foreign = await buildWorkspace(mongo, {});
  const { key } = await buildKey(mongo, foreign);
  t.same((await app.request<Feed[]>('GET', PATH, { key })).body.data, []);
  t.equal((await app.request('DELETE', `${PATH}/${made.id}`, { key })).status, 404);
  const reader = await buildKey(mongo, app.workspace, { scopes: ['maintenance:read'] });
  t.equal((await app.request('POST', PATH, { key: reader.key, body: { name: 'x' } })).status, 403);
  const expiring = await buildKey(mongo, app.workspace, { scopes: ['*'], expiresAtMs: clock.now() + DAY_MS });
  t.equal((await app.request('POST', PATH, { key: expiring.key, body: { name: 'x' } })).status, 403);

  const other = await fetched(made.url.replace(token, 'A'.repeat(43)));
  t.equal(other.status, 404);
  t.equal((await fetched(`${app.url}${PATH}/calendar.ics`)).status, 422, 'without a token');
  t.equal((await fetched(made.url)).status, 200);
  t.equal((await app.request('DELETE', `${PATH}/${made.id}`)).status, 204);
  t.equal((await fetched(made.url)).status, 404);
  t.equal((await app.request('DELETE', `${PATH}/${made.id}`)).status, 404);
});

t.test('it ends with the right of its maker to change maintenance', async (t) => {
  const { url } = await feed();
  const end = createEndFeeds(createFeedStore(mongo.db));
  const runTransaction = createRunTransaction(mongo.client);
  const { id: workspaceId, userId, email } = app.workspace;
  const change = (over: object) =>
    runTransaction((tx) => end(tx, { workspaceId, userId, email, role: 'viewer', ...over }));
  t.equal(await change({ userId: 'usr_other' }), 0);
  t.equal(await change({ role: 'member' }), 0);
  t.equal((await fetched(url)).status, 200);
  t.ok(Number(await change({})) > 0);
  t.equal((await fetched(url)).status, 404);
});

t.test('a suspended workspace has none, their number is limited, and guesses are', async (t) => {
  const { url } = await feed();
  const statusesOfMany: number[] = [];
  for (let index = 0; index < 20; index++) {
    statusesOfMany.push((await app.request('POST', PATH, { body: { name: 'Many' } })).status);
  }
  t.same(statusesOfMany, [...Array<number>(19).fill(201), 409]);
  const workspaces = mongo.db.collection<{ _id: string }>('workspaces');
  await workspaces.updateOne(
    { _id: app.workspace.id },
    { $set: { suspended: { at_ms: clock.now(), reason: 'Unpaid' } } },
  );
  clock.stall(11_000);
  t.equal((await fetched(url)).status, 404);
  const statuses: number[] = [];
  for (let guess = 0; guess < 31; guess++) {
    statuses.push((await fetched(`${app.url}${PATH}/calendar.ics?token=${String(guess).padStart(43, 'x')}`)).status);
  }
  t.same([statuses[0], statuses.at(-1)], [404, 429]);
});
