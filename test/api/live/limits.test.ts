import t from 'tap';
import type { PlanName } from '../../../control-plane/plans/plans.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { type EventClient, openEvents } from '../../helpers/live/event-client.js';
import { startLiveApp } from '../../helpers/live/live-app.js';
import { storePerson, storeSession, storeWorkspace } from '../../helpers/team/people.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

/** Opens streams one after another, as long as the control plane lets it. */
async function openAll(url: string, credentials: readonly string[], headers = {}): Promise<EventClient[]> {
  const clients: EventClient[] = [];
  for (const credential of credentials) clients.push(await openEvents(url, credential, { headers }));
  return clients;
}

const opened = (clients: readonly EventClient[]) => clients.filter(({ status }) => status === 200).length;

async function keys(count: number, plan: PlanName = 'Enterprise'): Promise<string[]> {
  const made = Array.from({ length: count }, async () => {
    const workspace = await buildWorkspace(mongo, { plan });
    return (await buildKey(mongo, workspace)).key;
  });
  return Promise.all(made);
}

t.test('a workspace on Free has 20 streams, and gets the place of one that was closed', async (t) => {
  const app = await startLiveApp(mongo);
  const workspaceId = await storeWorkspace(mongo, { plan: 'Free' });
  const people = await Promise.all([1, 2, 3].map(() => storePerson(mongo, workspaceId, 'member')));
  const cookies = people.flatMap(({ cookie }) => Array.from({ length: 7 }, () => cookie));
  const clients = await openAll(app.url, cookies);
  t.equal(opened(clients), 20);
  const [credential = ''] = people.map(({ key }) => key);
  const refused = await app.request('GET', '/v1/events', { key: credential });
  t.match(refused, { status: 429, body: { code: 'rate_limited', detail: /^At most 20 .* on the Free plan/ } });
  t.ok(Number(refused.headers.get('retry-after')) > 0);
  clients[0]?.close();
  await waitFor('the place', 60_000, async () => (await app.metric('picket_event_streams_open')) < 20);
  t.equal(opened(await openAll(app.url, [credential])), 1);
  t.equal(opened(await openAll(app.url, await keys(1, 'Free'))), 1, 'another workspace has its own');
  await app.close();
});

t.test('larger plans have more', async (t) => {
  const app = await startLiveApp(mongo, { limits: { ofCredentialMax: 1_000 } });
  const workspaceId = await storeWorkspace(mongo, { plan: 'Pro' });
  const people = await Promise.all([1, 2].map(() => storePerson(mongo, workspaceId, 'member')));
  const cookies = people.flatMap(({ cookie }) => Array.from({ length: 51 }, () => cookie));
  t.equal(opened(await openAll(app.url, cookies)), 100);
  await app.close();
});

t.test('a person has a limit over all sessions, keys and workspaces', async (t) => {
  const app = await startLiveApp(mongo, { limits: { ofPersonMax: 5 } });
  const ids = await Promise.all([1, 2].map(() => storeWorkspace(mongo)));
  const [one = '', other = ''] = ids;
  const person = await storePerson(mongo, one, 'owner');
  await storePerson(mongo, other, 'owner', { existing: person });
  const elsewhere = await storeSession(mongo, { userId: person.userId, workspaceId: other });
  const clients = await openAll(app.url, [person.cookie, person.cookie, person.key, elsewhere, elsewhere]);
  t.equal(opened(clients), 5);
  const refused = await app.request('GET', '/v1/events', { key: person.key });
  t.match(refused, { status: 429, body: { detail: /^At most 5 .* of one person/ } });
  const colleague = await storePerson(mongo, one, 'member');
  t.equal(opened(await openAll(app.url, [colleague.cookie])), 1);
  await app.close();
});

t.test('an address has a limit over all workspaces, and a trusted proxy names it', async (t) => {
  const app = await startLiveApp(mongo, { limits: { ofAddressMax: 3 }, trustedProxies: ['127.0.0.1'] });
  const from = (address: string) => ({ 'x-forwarded-for': address });
  t.equal(opened(await openAll(app.url, await keys(4), from('203.0.113.7'))), 3);
  const [key = ''] = await keys(1);
  const refused = await app.request('GET', '/v1/events', { key, headers: from('203.0.113.7') });
  t.match(refused, { status: 429, body: { detail: /^At most 3 .* from one address/ } });
  t.equal(opened(await openAll(app.url, await keys(1), from('203.0.113.8'))), 1, 'another address');
  const sameNetwork = ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8::4'];
  const clients = await Promise.all(sameNetwork.map(async (one) => openAll(app.url, await keys(1), from(one))));
  t.equal(opened(clients.flat()), 3, 'a network of IPv6 counts as one');
  await app.close();
});

t.test('nobody can choose their address without a trusted proxy', async (t) => {
  const app = await startLiveApp(mongo, { limits: { ofAddressMax: 1 } });
  t.equal(opened(await openAll(app.url, await keys(1), { 'x-forwarded-for': '203.0.113.1' })), 1);
  t.equal(opened(await openAll(app.url, await keys(1), { 'x-forwarded-for': '203.0.113.2' })), 0);
  await app.close();
});

t.test('the last places are for workspaces that have no stream', async (t) => {
  const app = await startLiveApp(mongo, { limits: { allMax: 6, reserved: 2 } });
  const [greedy = '', ...others] = await keys(4);
  t.equal(opened(await openAll(app.url, [greedy, greedy, greedy, greedy, greedy])), 4);
  const refused = await app.request('GET', '/v1/events', { key: greedy });
  t.match(refused, { status: 429, body: { detail: /The last 2 are for workspaces without one/ } });
  t.equal(
    opened(await openAll(app.url, others)),
    3,
    'two take the last ones, and the greedy one makes room for the third',
  );
  await app.close();
});

t.test('when all places are taken, whoever has most makes room for those who have less', async (t) => {
  const app = await startLiveApp(mongo, { limits: { allMax: 8, ofFreeMax: 4, reserved: 0 } });
  const [heavy = '', second = '', third = ''] = await keys(3, 'Free');
  const heavyOnes = await openAll(app.url, [heavy, heavy, heavy, heavy]);
  const [newcomer] = await openAll(app.url, [second]);
  t.equal(newcomer?.status, 200);
  const [oldest] = heavyOnes;
  await waitFor('the oldest stream to end', 60_000, () => oldest?.events.at(-1)?.type === 'end');
  t.match(oldest?.events.at(-1)?.data, { reason: 'replaced', reconnect: true });
  t.equal(opened(await openAll(app.url, [second])), 1, 'two have two streams each now');
  t.match(await app.request('GET', '/v1/events', { key: heavy }), { status: 429 }, 'the ended one gets no place back');
  t.match(await app.request('GET', '/v1/events', { key: second }), { status: 429 });
  t.equal(opened(await openAll(app.url, [third])), 1, 'one of them makes room for a third');
  t.equal(await app.metric('picket_event_streams_open'), 4);

  const paying = await keys(5, 'Pro');
  t.equal(opened(await openAll(app.url, paying.slice(0, 4))), 4);
  t.equal(opened(await openAll(app.url, paying.slice(4))), 1, 'a person on Free with two makes room for one on Pro');
  t.equal(await app.metric('picket_event_streams_open'), 8);
  await app.close();
});

t.test('Free workspaces, however many, leave places for those that pay', async (t) => {
  const app = await startLiveApp(mongo, { limits: { allMax: 6, ofFreeMax: 4, reserved: 1 } });
  const [busy = '', ...free] = await keys(4, 'Free');
  t.equal(opened(await openAll(app.url, [busy, busy, busy, busy])), 3, 'the last one of Free is for others on Free');
  const again = await app.request('GET', '/v1/events', { key: busy });
  t.match(again, { status: 429, body: { detail: /of all workspaces on the Free plan .* The last 1 are for/ } });
  t.equal(opened(await openAll(app.url, free)), 3, 'the busy one makes room');
  const [late = ''] = await keys(1, 'Free');
  const refused = await app.request('GET', '/v1/events', { key: late });
  t.match(refused, { status: 429, body: { detail: /^At most 4 .* of all workspaces on the Free plan/ } });
  t.equal(opened(await openAll(app.url, await keys(2, 'Pro'))), 2);
  await app.close();
});
