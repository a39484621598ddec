import t from 'tap';
import type { Channel } from '../../../control-plane/notifications/schema.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { channelsAppWith, createChannelIn, SECRETS, VALID } from '../../helpers/notifications/channels-app.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());
const appWith = channelsAppWith(t, mongo);
const app = await appWith({ allowPrivate: true });
const create = createChannelIn(app);

t.test('each type is created, read, listed and deleted, and no secret is shown or stored in plain text', async (t) => {
  const ids: string[] = [];
  for (const [type, config] of Object.entries(VALID)) {
    const created = await create({ type, name: ` ${type} channel `, config, delay_minutes: 5, repeat_minutes: 30 });
    t.equal(created.status, 201, `${type} ${created.text}`);
    const { id, secret, ...rest } = created.body.data;
    ids.push(id);
    t.equal(created.headers.get('location'), `/v1/channels/${id}`);
    t.match(created.headers.get('etag'), /1/);
    t.match(rest, {
      type,
      name: `${type} channel`,
      delay_minutes: 5,
      repeat_minutes: 30,
      enabled: true,
      disabled_at: null,
    });
    t.equal(secret !== undefined, type === 'webhook', 'only a webhook has a signing secret');
    if (secret !== undefined) t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const read = await app.request<Channel>('GET', `/v1/channels/${id}`);
    t.same(read.body.data, { id, ...rest }, 'a later read returns the same without the secret');
    t.notMatch(read.text, SECRETS);
  }
  const list = await app.request<Channel[]>('GET', '/v1/channels?limit=5');
  t.same(
    list.body.data.map((channel) => channel.id),
    ids.toReversed().slice(0, 5),
    'newest first',
  );
  const rest = await app.request<Channel[]>('GET', `/v1/channels?limit=5&cursor=${list.body.next_cursor}`);
  t.same(
    rest.body.data.map((channel) => channel.id),
    ids.toReversed().slice(5),
  );
  t.equal(rest.body.next_cursor, null);
  t.same(
    (await app.request<Channel[]>('GET', '/v1/channels?type=ntfy')).body.data.map((one) => one.type),
    ['ntfy'],
  );
  t.notMatch(list.text + rest.text, SECRETS);

  const shown = Object.fromEntries(
    [...list.body.data, ...rest.body.data].map((channel) => [channel.type, channel.config]),
  );
  t.same(shown['slack'], { url: 'https://hooks.slack.com/…RET1' });
  t.same(shown['telegram'], { chat_id: '-100123', bot_token: '…efgh' });
  t.same(shown['pagerduty'], { routing_key: '…mnop' });
  t.same(shown['ntfy'], { url: 'https://ntfy.sh', topic: 'alerts', token: '…' }, 'of a short secret nothing is shown');
  t.same(shown['webhook'], VALID['webhook']);

  for (const collection of await mongo.db.collections()) {
    const stored = JSON.stringify(await collection.find({}).toArray());
    t.notMatch(stored, SECRETS, `no plain text secret in ${collection.collectionName}`);
  }
  for (const id of ids) {
    t.equal((await app.request('DELETE', `/v1/channels/${id}`)).status, 204);
    t.equal((await app.request('GET', `/v1/channels/${id}`)).status, 404);
  }
});

t.test('every invalid field is reported, for every type', async (t) => {
  const cases: [string, unknown, string][] = [
    ['no type', { name: 'x', config: {} }, '/type'],
    ['unknown type', { type: 'pager', name: 'x', config: {} }, '/type'],
    ['no config', { type: 'email', name: 'x' }, '/config'],
    ['no recipient', { type: 'email', name: 'x', config: { to: [] } }, '/config/to'],
    ['header injection', { type: 'email', name: 'x', config: { to: ['a@b.c\r\nBcc: d@e.f'] } }, '/config/to/0'],
    ['two addresses in one', { type: 'email', name: 'x', config: { to: ['a@b.c,d@e.f'] } }, '/config/to/0'],
    ['config of another type', { type: 'slack', name: 'x', config: { to: ['a@b.c'] } }, '/config/url'],
    ['unknown field in config', { type: 'webhook', name: 'x', config: { url: 'https://e.com', x: 1 } }, '/config/x'],
    ['not a URL', { type: 'webhook', name: 'x', config: { url: 'example.com' } }, '/config/url'],
    ['another scheme', { type: 'webhook', name: 'x', config: { url: 'ftp://example.com/' } }, '/config/url'],
    [
      'credentials in the URL',
      { type: 'webhook', name: 'x', config: { url: 'https://a:b@example.com/' } },
      '/config/url',
    ],
    ['topic with a slash', { type: 'ntfy', name: 'x', config: { url: 'https://n.sh', topic: 'a/b' } }, '/config/topic'],
    [
      'bot token with a path',
      { type: 'telegram', name: 'x', config: { bot_token: '1:../../x', chat_id: '1' } },
      '/config/bot_token',
    ],
    ['empty name', { type: 'webhook', name: ' ', config: { url: 'https://e.com' } }, '/name'],
    [
      'negative delay',
      { type: 'webhook', name: 'x', config: { url: 'https://e.com' }, delay_minutes: -1 },
      '/delay_minutes',
    ],
    ['unknown field', { type: 'webhook', name: 'x', config: { url: 'https://e.com' }, enabled: true }, '/enabled'],
  ];
  for (const [title, body, path] of cases) {
    const answer = await create(body);
    t.equal(answer.status, 422, title);
    t.match(answer.body, { code: 'validation_failed' });
    t.ok(
      answer.body.errors?.some((error) => error.path === path),
      `${title}: ${answer.text}`,
    );
  }
});

t.test('a private address is refused with 422 unless the operator allows it', async (t) => {
  const strict = await appWith({ allowPrivate: false });
  for (const host of ['127.0.0.1', 'localhost', '169.254.169.254', '[::1]', '2130706433', '10.0.0.1']) {
    for (const type of ['webhook', 'slack', 'discord', 'msteams']) {
      const answer = await create({ type, name: 'x', config: { url: `http://${host}/hook` } }, strict);
      t.match(answer, { status: 422, body: { errors: [{ path: '/config/url' }] } }, `${type} ${host}`);
    }
    t.equal(
      (await create({ type: 'ntfy', name: 'x', config: { url: `http://${host}`, topic: 'a' } }, strict)).status,
      422,
    );
  }
  const created = await create({ type: 'webhook', name: 'x', config: { url: 'https://example.com/' } }, strict);
  const path = `/v1/channels/${created.body.data.id}`;
  const moved = await strict.request('PATCH', path, { body: { config: { url: 'http://127.0.0.1/' } } });
  t.equal(moved.status, 422, 'an update is refused too');
});

t.test('a refused configuration says what is wrong in words', async (t) => {
  const refusal = async (type: string, config: object) => (await create({ type, name: 'n', config })).body as unknown;
  t.match(await refusal('webhook', { url: 'http://169.254.169.254/' }), {
    detail: '/config/url must not point to a blocked address: 169.254.169.254 is a cloud metadata address.',
  });
  t.match(await refusal('email', { to: ['nope'] }), {
    detail: '/config/to/0 has an invalid format; a valid value is "oncall@example.com".',
  });
  t.match(await refusal('pagerduty', { routing_key: 'abc' }), {
    detail: '/config/routing_key has an invalid format; a valid value is "0123456789abcdef0123456789abcdef".',
  });
});

t.test('a repeated creation with the same Idempotency-Key returns the same channel and its secret', async (t) => {
  const body = { type: 'webhook', name: 'once', config: { url: 'https://example.com/once' } };
  const headers = { 'idempotency-key': 'same' };
  const [first, second] = [
    await app.request<{ id: string; secret: string }>('POST', '/v1/channels', { body, headers }),
    await app.request<{ id: string; secret: string }>('POST', '/v1/channels', { body, headers }),
  ];
  t.equal(first.status, 201);
  t.same(second.body.data, first.body.data);
  t.equal(second.headers.get('idempotent-replayed'), 'true');
});

t.test('a channel of another workspace is not found, and no scope allows access to channels', async (t) => {
  const { id } = (await create({ type: 'webhook', name: 'mine', config: { url: 'https://example.com' } })).body.data;
  const foreignKey = (await buildKey(mongo, await buildWorkspace(mongo))).key;
  const scoped = (await buildKey(mongo, app.workspace, { scopes: ['monitors:read', 'monitors:write', 'alerts:write'] }))
    .key;
  const calls: [string, string, unknown?][] = [
    ['GET', `/v1/channels/${id}`],
    ['PATCH', `/v1/channels/${id}`, { name: 'x' }],
    ['DELETE', `/v1/channels/${id}`],
    ['POST', `/v1/channels/${id}/test`],
  ];
  for (const [method, path, body] of calls) {
    const send = (key: string) => app.request(method, path, { key, ...(body === undefined ? {} : { body }) });
    t.match(
      await send(foreignKey),
      { status: 404, body: { code: 'not_found' } },
      `${method} with a key of another workspace`,
    );
    t.match(await send(scoped), { status: 403, body: { code: 'insufficient_scope' } }, `${method} with a scoped key`);
  }
  t.same((await app.request<Channel[]>('GET', '/v1/channels', { key: foreignKey })).body.data, []);
  t.equal((await app.request('GET', '/api/v1/channels')).status, 200, 'the other prefix works too');
});

t.test('the scope channels:read reads channels, and channels:write changes them', async (t) => {
  const { id } = (await create({ type: 'email', name: 'n', config: VALID['email'] })).body.data;
  const keyWith = async (scope: 'channels:read' | 'channels:write') =>
    (await buildKey(mongo, app.workspace, { scopes: [scope] })).key;
  const [reader, writer] = [await keyWith('channels:read'), await keyWith('channels:write')];
  const calls = [
    { method: 'GET', path: '/v1/channels', status: 200, scope: 'channels:read' },
    { method: 'GET', path: `/v1/channels/${id}`, status: 200, scope: 'channels:read' },
    { method: 'POST', path: '/v1/channels', body: { type: 'email', name: 'm', config: VALID['email'] }, status: 201 },
    { method: 'PATCH', path: `/v1/channels/${id}`, body: { name: 'o' }, status: 200 },
    { method: 'POST', path: `/v1/channels/${id}/test`, status: 200 },
    { method: 'DELETE', path: `/v1/channels/${id}`, status: 204 },
  ];
  for (const { method, path, body, status, scope = 'channels:write' } of calls) {
    const [allowed, other] = scope === 'channels:read' ? [reader, writer] : [writer, reader];
    const sent = body === undefined ? {} : { body };
    t.match(
      await app.request(method, path, { ...sent, key: other }),
      { status: 403, body: { code: 'insufficient_scope', required_scope: scope } },
      `${method} ${path} without ${scope}`,
    );
    t.equal((await app.request(method, path, { ...sent, key: allowed })).status, status, `${method} ${path}`);
  }
});
