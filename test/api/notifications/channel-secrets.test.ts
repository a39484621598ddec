import t from 'tap';
import type { Channel, TestResult } from '../../../control-plane/notifications/schema.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey } from '../../helpers/factories.js';
import { startReceiver } from '../../helpers/machine/webhook-receiver.js';
import { channelsAppWith, createChannelIn } from '../../helpers/notifications/channels-app.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());
const app = await channelsAppWith(t, mongo)({ allowPrivate: true });
const create = createChannelIn(app);

t.test('PATCH updates the sent fields, keeps secrets that are not sent, and supports If-Match', async (t) => {
  const receiver = await startReceiver();
  t.teardown(() => receiver.close());
  const { body } = await create({
    type: 'ntfy',
    name: 'n',
    config: { url: receiver.url, topic: 'one', token: 'tk_KEEP1234' },
  });
  const path = `/v1/channels/${body.data.id}`;
  const patch = (change: unknown, headers = {}) => app.request<Channel>('PATCH', path, { body: change, headers });

  t.match(await patch({ name: 'renamed', delay_minutes: 3 }), {
    status: 200,
    body: { data: { name: 'renamed', delay_minutes: 3 } },
  });
  const authorization = async () => {
    await app.request('POST', `${path}/test`);
    return receiver.requests.at(-1)?.headers['authorization'];
  };
  t.same((await patch({ config: { topic: 'two' } })).body.data.config, {
    url: receiver.url,
    topic: 'two',
    token: '…',
  });
  t.equal(await authorization(), 'Bearer tk_KEEP1234', 'the token is unchanged');
  await patch({ config: { url: receiver.url, topic: 'three', token: '…' } });
  t.equal(await authorization(), 'Bearer tk_KEEP1234', 'a form that sends the mask back changes nothing');
  t.equal(receiver.requests.at(-1)?.json.topic, 'three');
  await patch({ config: { token: 'tk_NEW5678' } });
  t.equal(await authorization(), 'Bearer tk_NEW5678');
  t.same((await patch({ config: { token: null } })).body.data.config, { url: receiver.url, topic: 'three' });
  t.equal(await authorization(), undefined);

  for (const change of [
    { config: { bot_token: 'x' } },
    { config: { topic: 'a/b' } },
    { config: { topic: null } },
    { type: 'slack' },
  ]) {
    t.equal((await patch(change)).status, 422, JSON.stringify(change));
  }
  const { headers } = await app.request('GET', path);
  const etag = headers.get('etag') ?? '';
  t.equal((await patch({ name: 'first' }, { 'if-match': etag })).status, 200);
  t.match(await patch({ name: 'second' }, { 'if-match': etag }), {
    status: 412,
    body: { code: 'precondition_failed' },
  });
  const stale = await app.request('DELETE', path, { headers: { 'if-match': etag } });
  t.equal(stale.status, 412);
  t.match(await patch({ enabled: false }), {
    body: { data: { enabled: false, disabled_reason: 'disabled manually' } },
  });
  t.match(await patch({ enabled: true }), {
    body: { data: { enabled: true, disabled_at: null, disabled_reason: null } },
  });
});

t.test('the sealed secrets of a channel are of no use in another one', async (t) => {
  const [one, two] = [await startReceiver(), await startReceiver()];
  t.teardown(() => Promise.all([one.close(), two.close()]));
  const [id, otherId] = await Promise.all(
    [one, two].map(async ({ url }, index) => {
      const config = { url, topic: 'alerts', token: `tk_OWNSECRET${index}` };
      return (await create({ type: 'ntfy', name: `own ${index}`, config })).body.data.id;
    }),
  );
  const channels = mongo.db.collection<{ _id: string; sealed: string }>('channels');
  const sealed = (await channels.findOne({ _id: id ?? '' }))?.sealed ?? '';
  const test = () => app.request<TestResult>('POST', `/v1/channels/${otherId}/test`);
  t.match((await test()).body.data, { status: 'sent' });
  await channels.updateOne({ _id: otherId ?? '' }, { $set: { sealed } });
  t.notMatch(await test(), { status: 200, body: { data: { status: 'sent' } } });
  t.same(
    two.requests.map(({ headers }) => headers['authorization']),
    ['Bearer tk_OWNSECRET1'],
  );
});

t.test('a URL with another origin needs the secrets of the channel again', async (t) => {
  const [one, two] = [await startReceiver(), await startReceiver()];
  t.teardown(() => Promise.all([one.close(), two.close()]));
  const config = { url: one.url, topic: 'one', token: 'tk_KEEP1234' };
  const { id } = (await create({ type: 'ntfy', name: 'n', config })).body.data;
  const patch = (change: object) => app.request<Channel>('PATCH', `/v1/channels/${id}`, { body: { config: change } });
  for (const change of [{ url: two.url }, { url: two.url, token: '…' }]) {
    t.match(await patch(change), {
      status: 422,
      body: { errors: [{ path: '/config/token', message: /sent again, because url has another origin/ }] },
    });
  }
  t.equal((await patch({ url: `${one.url}/path` })).status, 200, 'the same origin');
  t.equal((await patch({ url: two.url, token: 'tk_KEEP1234' })).status, 200);
  await app.request('POST', `/v1/channels/${id}/test`);
  t.equal(two.requests.at(-1)?.headers['authorization'], 'Bearer tk_KEEP1234');
  t.equal((await patch({ url: one.url, token: null })).status, 200, 'the secret is removed with the move');
  t.equal((await patch({ url: two.url })).status, 200, 'without a secret');

  const slack = (await create({ type: 'slack', name: 's', config: { url: `${one.url}/secret` } })).body.data;
  const moved = await app.request('PATCH', `/v1/channels/${slack.id}`, { body: { config: { url: `${two.url}/new` } } });
  t.equal(moved.status, 200, 'a URL that is the secret is sent with the move');
});

t.test('creation, update and deletion are audited, without secrets', async (t) => {
  const config = { url: 'https://hooks.slack.com/services/OLDSECRET' };
  const { id } = (await create({ type: 'slack', name: 'audited', config })).body.data;
  await app.request('PATCH', `/v1/channels/${id}`, {
    body: { name: 'again', config: { url: 'https://hooks.slack.com/services/NEWSECRET' } },
  });
  await app.request('PATCH', `/v1/channels/${id}`, { body: { name: 'again' } });
  await app.request('DELETE', `/v1/channels/${id}`);
  const names = (await mongo.db.listCollections().toArray())
    .map((one) => one.name)
    .filter((name) => /audit/.test(name));
  const entries = (
    await Promise.all(
      names.map((name) => mongo.db.collection(name).find({ 'resource.id': id }).sort({ _id: 1 }).toArray()),
    )
  ).flat();
  t.same(
    entries.map((entry) => entry['action']),
    ['channel.created', 'channel.updated', 'integration.credential_rotated', 'channel.deleted'],
    'an update without changes writes no entry',
  );
  t.same(entries[1]?.['metadata'], { changes: { name: { from: 'audited', to: 'again' } } });
  t.same(entries[2]?.['metadata'], { channel_type: 'slack', fields: ['config.url'] });
  t.notMatch(JSON.stringify(entries), /OLDSECRET|NEWSECRET/);
});

t.test('the audit log has neither path nor query of a webhook, which often contain a password', async (t) => {
  const config = { url: 'https://hooks.example.com/PATHSECRET?token=OLDSECRET' };
  const { id } = (await create({ type: 'webhook', name: 'hook', config })).body.data;
  const body = { config: { url: 'https://hooks.example.com/PATHSECRET?token=NEWSECRET' } };
  t.equal((await app.request('PATCH', `/v1/channels/${id}`, { body })).status, 200);
  const entries = await mongo.db.collection('audit_log').find({ 'resource.id': id }).sort({ _id: 1 }).toArray();
  const masked = 'https://hooks.example.com/…CRET';
  t.match(entries, [
    { action: 'channel.created' },
    { action: 'channel.updated', metadata: { changes: { 'config.url': { from: masked, to: masked } } } },
  ]);
  t.notMatch(JSON.stringify(entries), /PATHSECRET|OLDSECRET|NEWSECRET/);
});

t.test('replacing a secret is audited as a rotation, removing one as an update', async (t) => {
  const config = { url: 'https://ntfy.sh', topic: 'one', token: 'tk_OLDSECRET' };
  const { id } = (await create({ type: 'ntfy', name: 'ntfy', config })).body.data;
  const patch = (token: string | null) => app.request('PATCH', `/v1/channels/${id}`, { body: { config: { token } } });
  for (const token of ['tk_NEWSECRET', null, null]) t.equal((await patch(token)).status, 200);
  const entries = await mongo.db.collection('audit_log').find({ 'resource.id': id }).sort({ _id: 1 }).toArray();
  t.match(entries, [
    { action: 'channel.created' },
    { action: 'integration.credential_rotated', metadata: { channel_type: 'ntfy', fields: ['config.token'] } },
    { action: 'channel.updated', metadata: { changes: { 'config.token': { from: '[secret]', to: null } } } },
  ]);
  t.equal(entries.length, 3);
  t.notMatch(JSON.stringify(entries), /OLDSECRET|NEWSECRET/);
});

t.test('a URL that works like a password is masked for callers who may not change channels', async (t) => {
  const reader = (await buildKey(mongo, app.workspace, { scopes: ['channels:read'] })).key;
  const writer = (await buildKey(mongo, app.workspace, { scopes: ['channels:write'] })).key;
  const url = 'https://hooks.example.com/PATHSECRET?token=QUERYSECRET';
  const hook = (await create({ type: 'webhook', name: 'hook', config: { url } })).body.data;
  const ntfy = (await create({ type: 'ntfy', name: 'ntfy', config: { url: 'https://ntfy.sh', topic: 'HIDDENTOPIC' } }))
    .body.data;
  const path = `/v1/channels/${hook.id}`;
  const masked = 'https://hooks.example.com/…CRET';
  t.same((await app.request<Channel>('GET', path, { key: reader })).body.data.config, { url: masked });
  t.same((await app.request<Channel>('GET', `/v1/channels/${ntfy.id}`, { key: reader })).body.data.config, {
    ...{ url: 'https://ntfy.sh', topic: '…' },
  });
  const list = await app.request<Channel[]>('GET', '/v1/channels?limit=200', { key: reader });
  t.notMatch(list.text, /PATHSECRET|QUERYSECRET|HIDDENTOPIC/);
  t.same((await app.request<Channel>('GET', path)).body.data.config, { url }, 'whoever may change it sees it');

  const patch = (config: Record<string, unknown>) =>
    app.request<Channel>('PATCH', path, { key: writer, body: { name: 'again', config } });
  t.same((await patch({ url: masked })).body.data.config, { url }, 'a mask that is sent back changes nothing');
  t.match(await patch({ url: 'https://hooks.example.com/…WRONG' }), { status: 422 });
  t.equal(
    (await patch({ url: 'https://other.example.com/hook' })).body.data.config['url'],
    'https://other.example.com/hook',
  );
});
