import t from 'tap';
import { notificationsSlice } from '../../../control-plane/notifications/open.js';
import type { Channel, TestResult } from '../../../control-plane/notifications/schema.js';
import { createGuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { startApp, type TestApp } from '../../helpers/app.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { KINDS } from '../../helpers/incidents/kinds.js';
import { startMailbox } from '../../helpers/machine/mailbox.js';
import { startReceiver } from '../../helpers/machine/webhook-receiver.js';
import { countedMetrics } from '../../helpers/notifications/build.js';
import { allWork } from '../../helpers/standing.js';

/** Long enough for a receiver on a busy machine. The default is 16 s. */
const EXCHANGE_TIMEOUT_MS = 2_000;
const mongo = await testDatabase();
t.teardown(() => mongo.drop());

async function appWith(options: { allowPrivate: boolean; smtpUrl?: string; endpoint?: string }): Promise<TestApp> {
  const app = await startApp({
    mongo,
    async routes(parts) {
      const guard = createTargetGuard({ allowPrivate: options.allowPrivate });
      const endpoint = options.endpoint ?? 'http://127.0.0.1:9';
      const notifications = notificationsSlice.open({
        ...parts,
        db: parts.mongo.db,
        box: parts.secretBox,
        systemActor: () => Promise.reject(new Error('not used here')),
        incidents: { heads: async () => [], loadMany: async () => [] },
        kinds: KINDS,
        sources: { monitors: async () => new Map(), locationName: (code) => code, renderIncident: () => ({}) },
        metrics: countedMetrics(),
        guard,
        fetch: createGuardedFetch({ guard, clock: parts.clock }),
        random: systemRandom,
        logger: createLogger({ name: 'test', level: 'silent' }),
        publicUrl: 'http://picket.test',
        smtpUrl: options.smtpUrl ?? null,
        mailFrom: 'picket@picket.test',
        version: '0.0.0',
        standingOf: allWork,
        endpoints: { telegram: endpoint, pagerduty: endpoint },
        exchangeTimeoutMs: EXCHANGE_TIMEOUT_MS,
      });
      await notifications.ensureIndexes();
      t.teardown(() => Promise.all(notifications.jobs.map((job) => job.stop())));
      return notifications.routes;
    },
  });
  t.teardown(() => app.close());
  return app;
}

const app = await appWith({ allowPrivate: true });
const create = (body: unknown, to = app) => to.request<Channel & { secret?: string }>('POST', '/v1/channels', { body });

const VALID: Record<string, Record<string, unknown>> = {
  email: { to: ['ann@example.com', 'bob@example.com'] },
  slack: { url: 'https://hooks.slack.com/services/T0/B0/SLACKSECRET1' },
  discord: { url: 'https://discord.com/api/webhooks/1/DISCORDSECRET2' },
  msteams: { url: 'https://prod.logic.azure.com/workflows/TEAMSSECRET3' },
  telegram: { bot_token: '123456:TELEGRAMSECRET4-abcdefgh', chat_id: '-100123' },
  pagerduty: { routing_key: 'PAGERDUTYSECRET5abcdefghijklmnop' },
  webhook: { url: 'https://example.com/hook' },
  ntfy: { url: 'https://ntfy.sh', topic: 'alerts', token: 'tk_NTFYSECRET6' },
};
const SECRETS = /SLACKSECRET1|DISCORDSECRET2|TEAMSSECRET3|TELEGRAMSECRET4|PAGERDUTYSECRET5|NTFYSECRET6|whsec_/;

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

t.test('a secret that is replaced is a rotation, one that is removed is an update', async (t) => {
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

t.test('a test message is sent and its result is returned', async (t) => {
  const receiver = await startReceiver();
  const mailbox = await startMailbox();
  t.teardown(() => Promise.all([receiver.close(), mailbox.close()]));
  const mailing = await appWith({ allowPrivate: true, smtpUrl: mailbox.url, endpoint: receiver.url });
  const test = async (type: string, config: unknown, to = mailing) => {
    const { id } = (await create({ type, name: 'Tested', config }, to)).body.data;
    return (await to.request<TestResult>('POST', `/v1/channels/${id}/test`)).body.data;
  };
  t.match(await test('webhook', { url: receiver.url }), { status: 'sent', error: null, response_status: 200 });
  t.match(receiver.requests.at(-1)?.json, { type: 'channel.test', data: { channel: { name: 'Tested' } } });
  t.match(await test('pagerduty', VALID['pagerduty']), { status: 'sent' });
  t.same(
    receiver.requests.slice(-2).map((one) => one.json.event_action),
    ['trigger', 'resolve'],
    'a test resolves its alert at once',
  );

  receiver.behave({ status: 404, body: 'no_service' });
  t.match(await test('slack', { url: receiver.url }), {
    status: 'failed',
    error: 'HTTP 404: no_service',
    response_status: 404,
  });
  receiver.behave({ status: 404, body: 'Cannot POST /hooks/PATHSECRET, Bearer tk_TOKENSECRET' });
  const echoing = { url: new URL('/hooks/PATHSECRET', receiver.url).href, topic: 'alerts', token: 'tk_TOKENSECRET' };
  t.match(await test('ntfy', echoing), { error: 'HTTP 404: Cannot POST [secret], [secret]' }, 'shows no secret');
  receiver.behave({ status: 301, headers: { location: receiver.url } });
  t.match(await test('webhook', { url: receiver.url }), { status: 'failed', error: /redirect/, response_status: 301 });
  receiver.behave('hang');
  const hung = await test('webhook', { url: receiver.url });
  t.match(hung, { status: 'failed', error: /timeout/, response_status: null });
  t.ok(hung.duration_ms >= EXCHANGE_TIMEOUT_MS - 10 && hung.duration_ms < 16_000, `${hung.duration_ms} ms`);
  receiver.behave({ status: 410 });
  const gone = await create({ type: 'webhook', name: 'x', config: { url: receiver.url } }, mailing);
  await mailing.request('POST', `/v1/channels/${gone.body.data.id}/test`);
  const after = await mailing.request<Channel>('GET', `/v1/channels/${gone.body.data.id}`);
  t.equal(after.body.data.enabled, true, 'a test does not disable the channel');

  t.match(await test('email', VALID['email']), { status: 'sent', response_status: 250 });
  t.match(mailbox.mails[0], { to: ['ann@example.com', 'bob@example.com'], headers: { subject: 'TEST: Tested' } });
  mailbox.refuse((address) => (address.startsWith('ann') ? 550 : null));
  t.match(await test('email', VALID['email']), { status: 'sent', error: 'refused for ann@example.com' });
  mailbox.refuse(() => 550);
  t.match(await test('email', VALID['email']), { status: 'failed', response_status: 550 });
  t.match(await test('email', VALID['email'], app), { status: 'skipped', error: /PICKET_SMTP_URL/ });
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
