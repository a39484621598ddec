import t from 'tap';
import { createIds } from '../../../control-plane/storage/ids.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { createTimelineStore } from '../../../control-plane/timeline/store.js';
import { systemClock } from '../../../kernel/clock.js';
import { systemRandom } from '../../../kernel/random.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { openEvents, type ReceivedEvent } from '../../helpers/live/event-client.js';
import { startLiveApp } from '../../helpers/live/live-app.js';
import { recordedChanges } from '../../helpers/live/record-changes.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
const changes = recordedChanges(mongo);
const [one, other] = await Promise.all([startLiveApp(mongo), startLiveApp(mongo)]);
t.teardown(async () => {
  await Promise.all([one.close(), other.close()]);
  await mongo.drop();
});

const isReady = ({ type }: ReceivedEvent) => type === 'ready';
const named = (name: string) => (event: ReceivedEvent) => event.data.name === name;
const namesOf = (events: readonly ReceivedEvent[]) =>
  events.filter(({ type }) => type === 'monitor').map(({ data }) => data.name);

/** Returns a new workspace with a key. */
async function workspaceWithKey() {
  const workspace = await buildWorkspace(mongo);
  return { workspaceId: workspace.id, ...(await buildKey(mongo, workspace)) };
}

t.test('control planes that find the same changes at the same time send each once, in one order', async (t) => {
  const { workspaceId, key } = await workspaceWithKey();
  const clients = await Promise.all([one, other].map(({ url }) => openEvents(url, key)));
  for (const client of clients) await client.next(isReady);
  const names = Array.from({ length: 60 }, (_, index) => `m${index}`);
  await Promise.all(names.map((name) => changes.down(workspaceId, name)));
  await changes.down(workspaceId, 'last');
  for (const client of clients) await client.next(named('last'));
  const [first, second] = clients.map(({ events }) => events.filter(({ type }) => type === 'monitor'));
  t.same(first, second, 'the same events with the same ids');
  t.same(namesOf(first ?? []).sort(), [...names, 'last'].sort());
  for (const client of clients) client.close();
});

t.test(
  'a change that is committed long after its id was made arrives, too, and a returning client gets it',
  async (t) => {
    const { workspaceId, key } = await workspaceWithKey();
    const client = await openEvents(one.url, key);
    await client.next(isReady);
    await changes.down(workspaceId, 'early');
    await client.next(named('early'));
    const past = { ...systemClock, now: () => Date.now() - 40_000 };
    const timeline = createTimelineStore(mongo.db, createIds(past, systemRandom));
    await createRunTransaction(mongo.client)((tx) =>
      timeline.record(tx, [
        {
          ...{ workspaceId, atMs: past.now(), type: 'monitor.status_changed', message: '', actor: 'system' },
          ...{ resource: { type: 'monitor', id: 'mon_late', name: 'late' }, metadata: { from: 'up', to: 'down' } },
        },
      ]),
    );
    const { id } = await client.next(named('late'));
    const early = client.events.find(named('early'))?.id ?? '';
    const again = await openEvents(other.url, key, { lastId: early });
    t.match(await again.next(named('late')), { id });
    await again.next(isReady);
    t.same(namesOf(again.events), ['late']);
    for (const opened of [client, again]) opened.close();
  },
);

t.test('a client that returns in the middle of changes that were found together gets the rest of them', async (t) => {
  const { workspaceId, key } = await workspaceWithKey();
  const client = await openEvents(one.url, key);
  await client.next(isReady);
  await changes.allDown(workspaceId, ['a', 'b', 'c']);
  const { id } = await client.next(named('b'));
  const again = await openEvents(other.url, key, { lastId: id });
  await again.next(isReady);
  t.same(namesOf(again.events), ['c']);
  for (const opened of [client, again]) opened.close();
});

t.test('the first event says whose events follow', async (t) => {
  const workspace = await buildWorkspace(mongo);
  const client = await openEvents(one.url, (await buildKey(mongo, workspace)).key);
  const { data } = await client.next(isReady);
  t.same(data, { resumed: false, workspace_id: workspace.id, user_id: workspace.userId });
  client.close();
});

t.test('very many changes at once are one reset', async (t) => {
  const { workspaceId, key } = await workspaceWithKey();
  const client = await openEvents(one.url, key);
  await client.next(isReady);
  await changes.allDown(
    workspaceId,
    Array.from({ length: 300 }, (_, index) => `m${index}`),
  );
  t.match(await client.next(({ type }) => type === 'reset'), { data: { reason: 'many_changes' }, id: /^\d+$/ });
  await changes.down(workspaceId, 'afterwards');
  await client.next(named('afterwards'));
  t.same(namesOf(client.events), ['afterwards']);
  const again = await openEvents(other.url, key, { lastId: client.lastId() });
  t.match(await again.next(isReady), { data: { resumed: true } });
  t.same(namesOf(again.events), []);
  for (const opened of [client, again]) opened.close();
});

t.test('a client that missed more than a client may leave unread is not cut off, but reads again', async (t) => {
  const { workspaceId, key } = await workspaceWithKey();
  const [witness, client] = await Promise.all([openEvents(one.url, key), openEvents(one.url, key)]);
  const { id: lastId } = await client.next(isReady);
  client.close();
  // Each event has about a kilobyte: the names have three bytes a character.
  const names = Array.from({ length: 400 }, (_, index) => '監視'.repeat(98) + String(index).padStart(4, '0'));
  for (let at = 0; at < names.length; at += 100) {
    await changes.allDown(workspaceId, names.slice(at, at + 100));
    await waitFor('these events', 60_000, async () => witness.events.some(named(names[at + 99] ?? '')));
  }
  const again = await openEvents(one.url, key, { lastId });
  t.match(await again.next(({ type }) => type === 'reset'), { data: { reason: 'many_changes' } });
  t.match(await again.next(isReady), { data: { resumed: false } });
  const few = await openEvents(one.url, key, { lastId: witness.events.find(named(names[350] ?? ''))?.id ?? '' });
  t.match(await few.next(isReady), { data: { resumed: true } });
  t.equal(namesOf(few.events).length, 49);
  await changes.down(workspaceId, 'afterwards');
  await again.next(named('afterwards'));
  for (const opened of [witness, again, few]) opened.close();
});

t.test('a session or key has at most ten streams', async (t) => {
  const { key } = await workspaceWithKey();
  const clients = await Promise.all(Array.from({ length: 10 }, () => openEvents(one.url, key)));
  t.same([...new Set(clients.map(({ status }) => status))], [200]);
  const refused = await one.request('GET', '/v1/events', { key });
  t.match(refused, { status: 429, body: { code: 'rate_limited' } });
  t.ok(Number(refused.headers.get('retry-after')) > 0);
  // Those of the tests before it may still be ending.
  await waitFor('ten streams', 60_000, async () => (await one.metric('picket_event_streams_open')) === 10);
  clients[0]?.close();
  await waitFor(
    'the place of the closed stream',
    60_000,
    async () => (await one.metric('picket_event_streams_open')) < 10,
  );
  const next = await openEvents(one.url, key);
  t.equal(next.status, 200);
  for (const client of [...clients, next]) client.close();
  await waitFor('the end of all', 60_000, async () => (await one.metric('picket_event_streams_open')) === 0);
});

t.test('HEAD opens no stream', async (t) => {
  const { key } = await workspaceWithKey();
  const { status } = await one.request('HEAD', '/v1/events', { key });
  t.equal(status, 200);
  await waitFor('no stream', 60_000, async () => (await one.metric('picket_event_streams_open')) === 0);
});
