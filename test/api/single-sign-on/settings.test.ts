import t from 'tap';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { startHostileProvider } from '../../helpers/single-sign-on/hostile-provider.js';
import { CALLBACK, PUBLIC_URL, settingsOf, startSingleSignOn } from '../../helpers/single-sign-on/setup.js';

t.test('the settings of an identity provider', async (t) => {
  const single = await startSingleSignOn();
  const provider = await startHostileProvider();
  const { app, db } = single;
  t.teardown(() => Promise.all([single.close(), provider.close()]));
  const put = (body: unknown, headers: Record<string, string> = {}) =>
    single.asOwner('PUT', '/v1/single-sign-on', { body, headers });
  const ownerId = app.workspace.userId;

  await t.test('are saved after the provider was asked, without showing the secret', async (t) => {
    const none = await app.request('GET', '/v1/single-sign-on');
    t.match([none.status, none.text, none.headers.get('etag')], [200, '{"data":null}', '"0"']);
    const saved = await put(
      settingsOf(provider, { role_claim: 'groups', role_mapping: { __proto__x: 'admin', 'a.b$c': 'member' } }),
    );
    t.equal(saved.status, 200, saved.text);
    t.match(saved.body.data, {
      ...{
        issuer: provider.issuer,
        client_id: 'picket',
        client_secret_set: true,
        scopes: ['openid', 'email', 'profile'],
      },
      ...{ role_claim: 'groups', role_mapping: { __proto__x: 'admin', 'a.b$c': 'member' }, default_role: 'member' },
      ...{ owner_by_claim: false, enforced: false, break_glass_user_id: null, redirect_uri: CALLBACK },
      start_url: `${PUBLIC_URL}/v1/auth/sso/start?workspace=${app.workspace.id}`,
    });
    t.notMatch(saved.text, provider.clientSecret);
    const stored = await db.collection('single_sign_on').findOne({});
    t.notMatch(JSON.stringify(stored), provider.clientSecret);
    t.notMatch((await app.request('GET', '/v1/single-sign-on')).text, provider.clientSecret);
    const [entry] = await single.audit('integration.connected');
    t.match(entry, { resource: { type: 'single_sign_on_provider' }, metadata: { issuer: provider.issuer } });
    t.notMatch(JSON.stringify(entry), provider.clientSecret);
  });

  await t.test('changes are on the audit log, a new secret as a rotation of it', async (t) => {
    const { client_secret: _, ...kept } = settingsOf(provider, { default_role: null });
    t.match((await put(kept)).body.data, { default_role: null, role_claim: null });
    const [entry] = await single.audit('integration.updated');
    t.match(entry, { metadata: { changes: { default_role: { from: 'member', to: null } } } });
    await put({ ...kept, client_secret: 'another-secret' });
    t.equal((await single.audit('integration.updated')).length, 1, 'nothing else changed');
    const rotated = await single.audit('integration.credential_rotated');
    t.match(rotated, [{ metadata: { fields: ['client_secret'] } }]);
    t.notMatch(JSON.stringify(rotated), 'another-secret');
    t.equal((await put(kept, { 'if-match': '"1"' })).status, 412);
  });

  await t.test('another issuer or client needs the secret again', async (t) => {
    const other = await startHostileProvider();
    t.teardown(() => other.close());
    const { client_secret: _, ...without } = settingsOf(other);
    const answer = await put(without);
    t.equal(answer.status, 422);
    t.match(answer.body.errors, [{ path: '/client_secret', message: /sent again/ }]);
    t.match((await put({ ...without, issuer: provider.issuer, client_id: 'other' })).body.errors, [
      { path: '/client_secret' },
    ]);
    t.equal(other.exchanged.length, 0);
  });

  await t.test('say what is wrong with them', async (t) => {
    const refused = async (more: Record<string, unknown>, path: string) => {
      const answer = await put(settingsOf(provider, more));
      t.equal(answer.status, 422, `${JSON.stringify(more)}: ${answer.text}`);
      t.match(answer.body.errors, [{ path }], answer.text);
    };
    await refused({ issuer: `${provider.issuer}/.well-known/openid-configuration` }, '/issuer');
    await refused({ issuer: `${provider.issuer}?x` }, '/issuer');
    await refused({ issuer: 'http://169.254.169.254/' }, '/issuer');
    await refused({ issuer: 'http://user:pass@id.example/' }, '/issuer');
    await refused({ scopes: ['email'] }, '/scopes');
    await refused({ role_claim: 'groups', role_mapping: { boss: 'owner' } }, '/role_mapping');
    await refused({ role_mapping: { boss: 'admin' } }, '/role_claim');
    await refused({ default_role: 'owner' }, '/default_role');
    await refused({ enforced: true }, '/break_glass_user_id');
    await refused({ enforced: true, break_glass_user_id: `usr_${'0'.repeat(26)}` }, '/break_glass_user_id');
    t.equal(
      (await put(settingsOf(provider, { enforced: true, break_glass_user_id: ownerId }))).status,
      409,
      'no domain',
    );
    const owner = await put(
      settingsOf(provider, { role_claim: 'g', role_mapping: { boss: 'owner' }, owner_by_claim: true }),
    );
    t.equal(owner.status, 200);
  });

  await t.test('are not saved when the provider cannot be used', async (t) => {
    const path = '/.well-known/openid-configuration';
    const bad = await startHostileProvider();
    t.teardown(() => bad.close());
    const refused = async (status: number, message: RegExp) => {
      const answer = await put(settingsOf(bad));
      t.equal(answer.status, status, answer.text);
      t.match(answer.body.detail, message);
    };
    bad.metadata['issuer'] = 'https://id.example';
    await refused(422, /issuer/);
    bad.metadata['issuer'] = bad.issuer;
    bad.metadata['authorization_endpoint'] = 'javascript:alert(1)';
    await refused(422, /authorization_endpoint/);
    bad.answerInstead({ path, status: 500, type: 'text/html', body: 'broken' });
    await refused(409, /could not be asked/);
    bad.answerInstead({ path, status: 302, type: 'text/html', body: '', location: provider.issuer + path });
    await refused(409, /could not be asked/);
    bad.answerInstead({ path, status: 200, type: 'application/json', body: `{"a":"${'x'.repeat(200_000)}"}` });
    await refused(422, /too long/);
    await bad.close();
    await refused(409, /could not be asked/);
    t.match(
      (await app.request('GET', '/v1/single-sign-on')).body.data,
      { issuer: provider.issuer },
      'the old one is still there',
    );
  });

  await t.test('need an owner and the Enterprise plan', async (t) => {
    const admin = await buildWorkspace(single.app.parts.mongo, { role: 'admin' });
    const asked = { body: settingsOf(provider) };
    t.equal((await single.asOwner('PUT', '/v1/single-sign-on', { ...asked, workspace: admin })).status, 403);
    const pro = await buildWorkspace(app.parts.mongo, { plan: 'Pro' });
    const answer = await single.asOwner('PUT', '/v1/single-sign-on', { ...asked, workspace: pro });
    t.match(answer, { status: 403, body: { code: 'plan_required' } });
  });

  await t.test('are changed by an owner in a session, never by a key', async (t) => {
    const before = (await app.request('GET', '/v1/single-sign-on')).body.data;
    const domains = async () => (await app.request('GET', '/v1/single-sign-on/domains')).body.data;
    const domain = { body: { domain: 'example.com' } };
    t.equal((await single.asOwner('POST', '/v1/single-sign-on/domains', domain)).status, 201);
    const kept = await domains();
    const identities = db.collection('single_sign_on_identities');
    await identities.insertOne({ provider: app.workspace.id, issuer: 'x', user_id: ownerId });
    const admin = await buildWorkspace(app.parts.mongo, { role: 'admin' });
    const adminKey = (await buildKey(app.parts.mongo, admin)).key;

    const boss = { role_claim: 'g', role_mapping: { boss: 'owner' }, owner_by_claim: true };
    const changes: [method: string, path: string, body?: unknown][] = [
      ['PUT', '', settingsOf(provider, { ...boss, default_role: 'admin' })],
      ['POST', '/domains', { domain: 'other.example.com' }],
      ['POST', '/domains/example.com/verify'],
      ['DELETE', '/domains/example.com'],
      ['POST', '/unlink', { user_id: ownerId }],
      ['DELETE', ''],
    ];
    for (const [method, end, body] of changes) {
      const path = `/v1/single-sign-on${end}`;
      const refused = { status: 403, body: { code: 'forbidden', detail: /a person who is logged in, not an API key/ } };
      t.match(await app.request(method, path, { body }), refused, `${method} ${path}: the key of an owner`);
      t.match(await app.request(method, path, { key: adminKey, body }), refused, `${method} ${path}: of an admin`);
      const session = await single.asOwner(method, path, { body, workspace: admin });
      t.match(session, { status: 403, body: { required_roles: ['owner'] } }, `${method} ${path}: an admin`);
    }
    t.same((await app.request('GET', '/v1/single-sign-on')).body.data, before);
    t.same(await domains(), kept);
    t.equal(await identities.countDocuments(), 1);
    const unlink = { body: { user_id: ownerId } };
    t.equal((await single.asOwner('POST', '/v1/single-sign-on/unlink', unlink)).status, 204, 'an owner in a session');
  });

  await t.test('are removed with their links and the requirement', async (t) => {
    const identities = db.collection('single_sign_on_identities');
    await identities.insertMany([
      { provider: app.workspace.id, issuer: 'x', user_id: 'usr_1' },
      { provider: 'other', issuer: 'x', user_id: 'usr_1' },
    ]);
    t.equal((await single.asOwner('DELETE', '/v1/single-sign-on')).status, 204);
    t.match(await app.request('GET', '/v1/single-sign-on'), { status: 200, body: { data: null } });
    t.equal(await identities.countDocuments(), 1, 'only links of this workspace are gone');
    t.equal((await single.audit('integration.disconnected')).length, 1);
  });
});

t.test('a provider on a private address is refused where private targets are', async (t) => {
  const single = await startSingleSignOn({ allowPrivateTargets: false });
  const provider = await startHostileProvider();
  t.teardown(() => Promise.all([single.close(), provider.close()]));
  for (const issuer of [
    provider.issuer,
    'https://localhost',
    'https://10.0.0.1',
    'https://[::1]',
    'http://id.example.com',
  ]) {
    const answer = await single.asOwner('PUT', '/v1/single-sign-on', { body: settingsOf({ ...provider, issuer }) });
    t.equal(answer.status, 422, issuer);
    t.match(answer.body.errors, [{ path: '/issuer' }], answer.text);
  }
});
