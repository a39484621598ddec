import t, { type Test } from 'tap';
import type { AuditDocument } from '../../../control-plane/audit/documents.js';
import type { ForwarderDocument } from '../../../control-plane/audit/forward/documents.js';
import type { Forwarder } from '../../../control-plane/audit/forward/schema.js';
import { startApp } from '../../helpers/app.js';
import { buildForwarding } from '../../helpers/audit/forwarding.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey, buildWorkspace, type TestWorkspace } from '../../helpers/factories.js';

const mongo = await testDatabase();
const app = await startApp({ mongo, routes: (parts) => buildForwarding(parts).routes });
const guarded = await startApp({ mongo, routes: (parts) => buildForwarding(parts, { allowPrivate: false }).routes });
t.teardown(async () => {
  await app.close();
  await guarded.close();
  await mongo.drop();
});

const PATH = '/api/v1/audit-logs/forwarders';
const AUTH = 'Bearer very-secret-token-0815';
const webhook = { type: 'webhook', target: 'https://siem.example.com/in', auth: AUTH };
type Created = Forwarder & { secret?: string };

async function tenant(plan: 'Free' | 'Pro' | 'Enterprise' = 'Enterprise') {
  const workspace = await buildWorkspace(mongo, { plan });
  return { workspace, key: (await buildKey(mongo, workspace)).key };
}

async function create(key: string, body: object): Promise<Created> {
  const answer = await app.request<Created>('POST', PATH, { key, body });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.data;
}

const actions = async (workspace: TestWorkspace) =>
  (
    await mongo.db
      .collection<AuditDocument>('audit_log')
      .find({ workspace_id: workspace.id })
      .sort({ _id: 1 })
      .toArray()
  ).map(({ action, severity, metadata }) => ({ action, severity, metadata }));

t.test('a forwarder is created, read, updated and deleted, with one entry for each change', async (t) => {
  const { workspace, key } = await tenant();
  const made = await app.request<Created>('POST', PATH, {
    key,
    body: { ...webhook, filter: { severity: ['critical', 'warning'] } },
  });
  t.equal(made.status, 201);
  const { id, secret } = made.body.data;
  t.match(id, /^fwd_[0-9a-z]{26}$/);
  t.equal(made.headers.get('location'), `${PATH}/${id}`);
  t.match(secret, /^whsec_/);
  t.match(made.body.data, {
    name: 'siem.example.com',
    format: 'json',
    filter: { severity: ['warning', 'critical'] },
    auth_set: true,
    state: 'active',
    lag: { events: 0, seconds: 0 },
    sequence: 0,
    last_success_at: null,
    last_error: null,
  });
  const one = await app.request<Forwarder>('GET', `${PATH}/${id}`, { key });
  t.equal(one.status, 200);
  t.notOk('secret' in one.body.data);
  t.equal((await app.request<Forwarder[]>('GET', PATH, { key })).body.data.length, 1);

  const patch = (body: object, headers = {}) =>
    app.request<Forwarder>('PATCH', `${PATH}/${id}`, { key, body, headers });
  t.equal((await patch({ paused: true })).body.data.state, 'paused');
  t.equal((await patch({ paused: true })).body.data.state, 'paused', 'the same value is not a change');
  t.equal((await patch({ paused: false })).body.data.state, 'active');
  const changed = await patch({
    name: 'SIEM',
    format: 'cef',
    filter: null,
    auth: 'Bearer another',
    target: 'https://siem.example.com/two?token=zzz',
  });
  t.match(changed.body.data, { name: 'SIEM', format: 'cef', filter: {}, auth_set: true });
  t.equal((await patch({ auth: 'Bearer another' })).body.data.auth_set, true, 'the same secret is not a change');
  t.equal((await patch({ auth: 'Bearer third' })).body.data.auth_set, true);
  t.equal((await patch({ auth: null })).body.data.auth_set, false);
  t.equal((await patch({ name: 'late' }, { 'if-match': '"1"' })).status, 412);
  t.equal((await app.request('DELETE', `${PATH}/${id}`, { key })).status, 204);
  t.equal((await app.request('GET', `${PATH}/${id}`, { key })).status, 404);
  const entries = await actions(workspace);
  t.same(
    entries.map(({ action }) => action),
    [
      ...['integration.connected', 'forwarder.paused', 'forwarder.resumed'],
      ...['forwarder.updated', 'integration.credential_rotated'],
      'integration.credential_rotated',
      'forwarder.updated',
      'integration.disconnected',
    ],
  );
  t.match(entries[3]?.metadata, { changes: { name: { to: 'SIEM' } } });
  t.notMatch(JSON.stringify(entries[3]), /auth/, 'the new secret is an entry of its own');
  t.same(
    entries.map(({ severity }) => severity),
    ['info', 'critical', 'info', 'critical', 'warning', 'warning', 'warning', 'critical'],
    'paused, re-pointed and deleted are critical',
  );
  t.same(entries[5]?.metadata, { forwarder_type: 'webhook', fields: ['auth'] });
  t.same(entries[6]?.metadata, { changes: { auth: { from: '[secret]', to: null } } });
  t.notMatch(JSON.stringify(entries), /\/two|very-secret|another|third|zzz|whsec_/);
});

t.test('the scheme of the target decides the type', async (t) => {
  const { key } = await tenant();
  const shown = {
    target: 'https://siem.example.com/in',
    format: 'json',
    filter: { severity: ['warning', 'critical'] },
  };
  t.match(await create(key, { ...shown, auth: AUTH }), { ...shown, type: 'webhook', auth_set: true });
  for (const protocol of ['tcp', 'tls', 'udp']) {
    const target = `syslog+${protocol}://siem.example.com:6514`;
    t.match(await create(key, { target }), { type: 'syslog', target });
  }
  t.match(await app.request('POST', PATH, { key, body: { target: 'ftp://siem.example.com/' } }), {
    status: 422,
    body: { errors: [{ path: '/target', message: /https:\/\/.*syslog\+tls/ }] },
  });
});

t.test('secrets are encrypted at rest and in no response', async (t) => {
  const { key } = await tenant();
  const { id, secret = 'none' } = await create(key, webhook);
  const stored = JSON.stringify(await mongo.db.collection<ForwarderDocument>('audit_forwarders').findOne({ _id: id }));
  const answers = [
    (await app.request('GET', PATH, { key })).text,
    (await app.request('GET', `${PATH}/${id}`, { key })).text,
    (await app.request('PATCH', `${PATH}/${id}`, { key, body: { auth: `${AUTH}2` } })).text,
  ].join();
  for (const text of [stored, answers]) {
    t.notOk(text.includes('very-secret-token'));
    t.notOk(text.includes(secret));
  }
});

t.test('a target with another origin needs the secret again', async (t) => {
  const { workspace, key } = await tenant();
  const { id } = await create(key, webhook);
  const patch = (body: object) => app.request<Forwarder>('PATCH', `${PATH}/${id}`, { key, body });
  for (const target of [
    'https://evil.example.com/in',
    'https://siem.example.com:8443/in',
    'http://siem.example.com/in',
    'https://siem.example.com.evil.example/in',
  ]) {
    t.match(
      await patch({ target }),
      { status: 422, body: { errors: [{ path: '/auth', message: /sent again, because target has another origin/ }] } },
      target,
    );
  }
  t.equal((await actions(workspace)).length, 1, 'nothing has changed');
  t.equal((await patch({ target: 'https://siem.example.com/other?x=1' })).status, 200, 'the same origin');
  t.match(await patch({ target: 'https://new.example.com/in', auth: AUTH }), {
    status: 200,
    body: { data: { target: 'https://new.example.com/in', auth_set: true } },
  });
  t.match(await patch({ target: 'https://third.example.com/in', auth: null }), {
    status: 200,
    body: { data: { auth_set: false } },
  });
  t.equal((await patch({ target: 'https://fourth.example.com/in' })).status, 200, 'without a secret');
});

t.test('other workspaces, plans and scopes', async (t) => {
  const { workspace, key } = await tenant();
  const { id } = await create(key, webhook);
  const other = await tenant();
  for (const [method, path, body] of [
    ['GET', `${PATH}/${id}`],
    ['PATCH', `${PATH}/${id}`, { name: 'x' }],
    ['DELETE', `${PATH}/${id}`],
    ['POST', `${PATH}/${id}/test`, {}],
  ] as const) {
    t.equal((await app.request(method, path, { key: other.key, body })).status, 404, `${method} ${path}`);
  }
  t.same((await app.request<Forwarder[]>('GET', PATH, { key: other.key })).body.data, []);
  for (const plan of ['Free', 'Pro'] as const) {
    const small = await tenant(plan);
    for (const answer of [
      await app.request('POST', PATH, { key: small.key, body: webhook }),
      await app.request('POST', `${PATH}/${id}/test`, { key: small.key }),
    ]) {
      t.match(answer, { status: 403, body: { code: 'plan_required' } });
    }
  }
  const reader = await buildKey(mongo, workspace, { scopes: ['audit:read'] });
  const { target } = (await app.request<Forwarder>('GET', `${PATH}/${id}`, { key: reader.key })).body.data;
  t.equal(target, 'https://siem.example.com/…', 'the path of a webhook is as good as a password');
  t.equal((await app.request<Forwarder[]>('GET', PATH, { key: reader.key })).body.data[0]?.target, target);
  t.equal((await app.request<Forwarder>('GET', `${PATH}/${id}`, { key })).body.data.target, webhook.target);
  t.match(await app.request('POST', PATH, { key: reader.key, body: webhook }), {
    status: 403,
    body: { code: 'insufficient_scope' },
  });
  t.equal(
    (await app.request('GET', PATH, { key: (await buildKey(mongo, workspace, { scopes: ['monitors:read'] })).key }))
      .status,
    403,
  );
});

t.test('what a smaller plan does not include any more can be seen and deleted, and nothing else', async (t) => {
  const { workspace, key } = await tenant();
  const { id } = await create(key, webhook);
  await mongo.db.collection<{ _id: string }>('workspaces').updateOne({ _id: workspace.id }, { $set: { plan: 'Free' } });
  const smaller = (await buildKey(mongo, workspace)).key;
  const call = (method: string, path: string, body?: unknown) =>
    app.request<Forwarder>(method, path, { key: smaller, ...(body === undefined ? {} : { body }) });
  t.match(await call('GET', PATH), { status: 200, body: { data: [{ id }] } });
  t.match(await call('GET', `${PATH}/${id}`), { status: 200, body: { data: { id } } });
  const refused = { status: 403, body: { code: 'plan_required' } };
  t.match(await call('PATCH', `${PATH}/${id}`, { paused: true }), refused);
  t.match(await call('POST', `${PATH}/${id}/test`, {}), refused);
  t.equal((await call('DELETE', `${PATH}/${id}`)).status, 204);
  t.same((await call('GET', PATH)).body.data, []);
});

t.test('invalid forwarders', async (t) => {
  const { key } = await tenant();
  const syslog = { type: 'syslog', target: 'syslog+tls://siem.example.com:6514' };
  for (const body of [
    { ...webhook, type: 'syslog' },
    { ...syslog, type: 'webhook' },
    { ...syslog, target: 'syslog+tls://siem.example.com' },
    { ...syslog, target: 'syslog+tls://siem.example.com:70000' },
    { ...syslog, target: 'syslog+tls://user@siem.example.com:6514' },
    { ...syslog, target: 'syslog://siem.example.com:6514' },
    { ...syslog, auth: AUTH },
    { ...syslog, ca: 'not a certificate' },
    { ...webhook, auth: 'Bearer a\r\nX-Evil: 1' },
    { ...webhook, target: 'https://user:pass@siem.example.com/' },
    { ...webhook, format: 'xml' },
    { ...webhook, filter: { severity: [] } },
    { ...webhook, filter: { severity: ['loud'] } },
    { ...webhook, from: new Date(Date.now() + 60_000).toISOString() },
    { ...webhook, unknown: 1 },
  ]) {
    t.match(
      await app.request('POST', PATH, { key, body }),
      { status: 422, body: { code: 'validation_failed' } },
      JSON.stringify(body),
    );
  }
  for (let index = 0; index < 10; index++) await create(key, syslog);
  t.match(await app.request('POST', PATH, { key, body: syslog }), { status: 409, body: { code: 'conflict' } });
});

t.test('a private address is refused in every notation', async (t) => {
  const { key } = await tenant();
  const refuse = async (t: Test, type: string, target: string) =>
    t.match(await guarded.request('POST', PATH, { key, body: { type, target } }), { status: 422 }, target);
  for (const host of [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '[::ffff:10.0.0.1]',
    '169.254.169.254',
    'localhost',
    '10.1.2.3',
  ]) {
    await refuse(t, 'webhook', `https://${host}/in`);
    for (const protocol of ['tcp', 'tls', 'udp']) await refuse(t, 'syslog', `syslog+${protocol}://${host}:6514`);
  }
  await refuse(t, 'webhook', 'http://siem.example.com/in');
  t.equal(
    (
      await guarded.request('POST', PATH, {
        key,
        body: { type: 'syslog', target: 'syslog+tcp://siem.example.com:514' },
      })
    ).status,
    201,
  );
  const stays = await create(key, { type: 'syslog', target: 'syslog+tcp://siem.example.com:514' });
  const moved = await guarded.request('PATCH', `${PATH}/${stays.id}`, {
    key,
    body: { target: 'syslog+tcp://127.0.0.1:514' },
  });
  t.equal(moved.status, 422);
});

t.test('a key with an expiry neither creates a forwarder nor changes where one sends', async (t) => {
  const { workspace, key } = await tenant();
  const { id } = await create(key, webhook);
  const { key: expiring } = await buildKey(mongo, workspace, { scopes: ['*'], expiresAtMs: Date.now() + 3_600_000 });
  const refused = { status: 403, body: { code: 'forbidden', detail: /key with an expiry/ } };
  t.match(await app.request('POST', PATH, { key: expiring, body: webhook }), refused);
  const patch = (body: object) => app.request('PATCH', `${PATH}/${id}`, { key: expiring, body });
  t.match(await patch({ target: 'https://siem.example.com/other' }), refused);
  t.match(await patch({ paused: true }), { status: 200 });
});
