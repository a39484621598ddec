import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { buildKey } from '../../helpers/factories.js';
import { openEvents, type ReceivedEvent } from '../../helpers/live/event-client.js';
import { recordedChanges } from '../../helpers/live/record-changes.js';
import { type ControlPlane, startControlPlane } from '../../helpers/processes/control-plane.js';
import { requestAs, storePerson, storeWorkspace } from '../../helpers/team/people.js';

const mongo = await testDatabase();
const first = await startControlPlane(mongo.uri);
let second = await startOther();
const planes = () => [first, second];
const changes = recordedChanges(mongo);
t.teardown(async () => {
  await second.stop();
  await first.remove();
  await mongo.drop();
});

async function startOther(): Promise<ControlPlane> {
  const { PICKET_HTTP_PORT: _http, PICKET_GRPC_PORT: _grpc, ...installation } = first.env;
  return startControlPlane(mongo.uri, installation);
}

async function owner() {
  const workspaceId = await storeWorkspace(mongo);
  return storePerson(mongo, workspaceId, 'owner');
}

const isReady = ({ type }: ReceivedEvent) => type === 'ready';
const isEnd = ({ type }: ReceivedEvent) => type === 'end';
/** A busy control plane says beside the changes that they come late. */
const withoutBehind = (events: readonly ReceivedEvent[]) => events.filter(({ type }) => type !== 'behind');
const named = (name: string) => (event: ReceivedEvent) => event.data.name === name;

t.test(
  'a change at one control plane arrives at all others, with the headers that keep it from being held back',
  async (t) => {
    const person = await owner();
    const clients = await Promise.all(planes().map(({ url }) => openEvents(url, person.cookie)));
    for (const client of clients) {
      t.equal(client.status, 200);
      t.match(client.headers, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      t.notOk(client.headers['content-encoding']);
      t.match(await client.next(isReady), { data: { resumed: false }, id: /^\d+$/ });
    }
    const body = { name: 'Shop', url: 'https://shop.example', type: 'http' };
    const created = await requestAs(first.url, person.cookie, ['POST', '/v1/monitors', body]);
    t.equal(created.status, 201);
    const seen = await Promise.all(clients.map((client) => client.next(({ type }) => type === 'change')));
    const resource = { type: 'monitor', id: created.body.data.id };
    for (const event of seen) t.match(event.data, { action: 'monitor.created', resource });
    t.equal(seen[0]?.id, seen[1]?.id, 'an event has one id');
    t.notMatch(JSON.stringify(seen), /shop\.example|@example\.com/, 'nothing but what changed');

    await changes.down(person.workspaceId, 'shop');
    for (const client of clients) {
      const { type, data } = await client.next(named('shop'));
      t.match({ type, data }, { type: 'monitor', data: { id: 'mon_shop', status: 'down', since: /Z$/ } });
      t.same(Object.keys(data).sort(), ['id', 'name', 'since', 'status']);
      client.close();
    }
  },
);

t.test('another workspace sees nothing of it', async (t) => {
  const [one, other] = [await owner(), await owner()];
  const [mine, theirs] = [await openEvents(second.url, one.cookie), await openEvents(second.url, other.key)];
  await Promise.all([mine.next(isReady), theirs.next(isReady)]);
  await changes.down(one.workspaceId, 'mine');
  await mine.next(named('mine'));
  // This one is behind the other in the order of all workspaces.
  await changes.down(other.workspaceId, 'theirs');
  const { id } = await theirs.next(named('theirs'));
  t.same(
    withoutBehind(theirs.events).map(({ type }) => type),
    ['ready', 'monitor'],
  );
  t.match(id, /^\d+-1$/, 'its number does not count those of others');
  // Nor can it get at them with a position.
  const again = await openEvents(first.url, other.key, { lastId: `${Number.parseInt(mine.lastId(), 10) - 1}` });
  await again.next(named('theirs'));
  t.same(
    again.events.filter(({ type }) => type === 'monitor').map(({ data }) => data.name),
    ['theirs'],
  );
  for (const client of [mine, theirs, again]) client.close();
});

t.test(
  'a client of a killed control plane continues at another one and after a restart, without gaps or repetitions',
  async (t) => {
    const person = await owner();
    const got: string[] = [];
    const collect = (events: readonly ReceivedEvent[]) =>
      got.push(...events.filter(({ type }) => type === 'monitor').map(({ data }) => data.name));

    const before = await openEvents(second.url, person.cookie);
    await before.next(isReady);
    await changes.allDown(person.workspaceId, ['1', '2', '3']);
    await before.next(named('2'));
    await second.kill();
    await before.ended;
    collect(before.events);
    await changes.allDown(person.workspaceId, ['4', '5']);

    const elsewhere = await openEvents(first.url, person.cookie, { lastId: before.lastId() });
    await elsewhere.next(named('5'));
    t.match(await elsewhere.next(isReady), { data: { resumed: true } });
    await changes.down(person.workspaceId, '6');
    await elsewhere.next(named('6'));
    elsewhere.close();
    collect(elsewhere.events);
    await changes.down(person.workspaceId, '7');

    second = await startOther();
    // A page that opens a stream cannot set the header.
    const after = await openEvents(second.url, person.cookie, { query: `?last_event_id=${elsewhere.lastId()}` });
    await after.next(named('7'));
    t.match(await after.next(isReady), { data: { resumed: true } });
    collect(after.events);
    t.same(got, ['1', '2', '3', '4', '5', '6', '7']);
    t.notOk([...elsewhere.events, ...after.events].some(({ type }) => type === 'reset'));
    after.close();
  },
);

t.test('a position that no control plane knows is answered with reset', async (t) => {
  const person = await owner();
  for (const lastId of ['1', '999999999999999', 'nonsense', '1-1']) {
    const client = await openEvents(first.url, person.cookie, { lastId });
    t.match(await client.next(({ type }) => type === 'reset'), { data: { reason: 'unknown_position' }, id: /^\d+$/ });
    t.match(await client.next(isReady), { data: { resumed: false } });
    client.close();
  }
});

t.test('a key gets the events of its scopes, and without any of them no stream', async (t) => {
  const person = await owner();
  const workspace = { id: person.workspaceId, userId: person.userId };
  const monitors = await buildKey(mongo, workspace, { scopes: ['monitors:read'] });
  const servers = await buildKey(mongo, workspace, { scopes: ['servers:read', 'monitors:write'] });
  const none = await buildKey(mongo, workspace, { scopes: ['monitors:write', 'reports:read'] });
  const refused = await openEvents(first.url, none.key);
  t.equal(refused.status, 403);
  refused.close();
  const clients = await Promise.all([monitors, servers].map(({ key }) => openEvents(first.url, key)));
  for (const client of clients) await client.next(isReady);
  const resource = { type: 'server', id: 'srv_1', name: 'web-1' };
  const base = { workspaceId: person.workspaceId, atMs: Date.now(), message: '', actor: 'system' };
  await changes.down(person.workspaceId, 'first');
  await requestAs(first.url, person.cookie, ['PATCH', '/v1/workspace', { name: 'Renamed' }]);
  await changes.record({
    ...base,
    type: 'server.status_changed',
    resource,
    metadata: { from: 'online', to: 'offline' },
  });
  await changes.down(person.workspaceId, 'last');
  const [ofMonitors, ofServers] = clients;
  await ofMonitors?.next(named('last'));
  const offline = await ofServers?.next(named('web-1'));
  t.match(offline, { type: 'server', data: { id: 'srv_1', status: 'offline' } });
  t.same(
    withoutBehind(ofMonitors?.events ?? []).map(({ data }) => data.name),
    [undefined, 'first', 'last'],
  );
  t.same(
    withoutBehind(ofServers?.events ?? []).map(({ type }) => type),
    ['ready', 'server'],
  );
  for (const client of clients) client.close();
});

t.test('a viewer sees the changes', async (t) => {
  const { workspaceId } = await owner();
  const viewer = await storePerson(mongo, workspaceId, 'viewer');
  const client = await openEvents(first.url, viewer.cookie);
  await client.next(isReady);
  await changes.down(workspaceId, 'seen');
  t.match(await client.next(named('seen')), { type: 'monitor' });
  client.close();
});

t.test('a stream ends when its session, key, membership or workspace ends, on every control plane', async (t) => {
  const person = await owner();
  const { workspaceId } = person;
  const [leaving, staying] = [
    await storePerson(mongo, workspaceId, 'member'),
    await storePerson(mongo, workspaceId, 'member'),
  ];
  const { key, id: keyId } = await buildKey(
    mongo,
    { id: workspaceId, userId: person.userId },
    { scopes: ['monitors:read'] },
  );
  const open = async (credential: string) => {
    const client = await openEvents(second.url, credential);
    await client.next(isReady);
    return client;
  };
  const [ofSession, ofKey, ofLeaving, ofStaying] = [
    await open(person.cookie),
    await open(key),
    await open(leaving.cookie),
    await open(staying.cookie),
  ];
  const ends = async (client: typeof ofSession) => {
    t.match(await client.next(isEnd), { data: { reason: 'access_ended', reconnect: false } });
    await client.ended;
  };
  t.equal((await requestAs(first.url, person.key, ['DELETE', `/v1/api-keys/${keyId}`])).status, 204);
  await ends(ofKey);
  t.equal((await requestAs(first.url, person.key, ['DELETE', `/v1/team/members/${leaving.userId}`])).status, 204);
  await ends(ofLeaving);
  t.equal((await requestAs(first.url, person.cookie, ['POST', '/v1/auth/logout', {}])).status, 204);
  await ends(ofSession);
  const operator = await first.api('POST', `/v1/admin/workspaces/${workspaceId}/suspend`, { reason: 'abuse' });
  t.equal(operator.status, 200);
  await ends(ofStaying);
  t.equal((await openEvents(first.url, staying.cookie)).status, 403);
});

t.test('open streams do not delay a shutdown, and are told to connect again', async (t) => {
  const person = await owner();
  const client = await openEvents(second.url, person.cookie);
  await client.next(isReady);
  const exit = second.stop();
  t.match(await client.next(isEnd), { data: { reason: 'stopping', reconnect: true } });
  await client.ended;
  t.ok(client.isComplete(), 'it ended the stream, and did not wait until it could cut it off');
  t.equal(await exit, 0);
  const elsewhere = await openEvents(first.url, person.cookie, { lastId: client.lastId() });
  t.match(await elsewhere.next(isReady), { data: { resumed: true } });
  elsewhere.close();
});
