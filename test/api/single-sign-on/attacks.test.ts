import { request as httpRequest } from 'node:http';
import t, { type Test } from 'tap';
import type { WorkspaceDocument } from '../../../control-plane/accounts/documents.js';
import { buildClient, buildWorkspace } from '../../helpers/factories.js';
import { browser } from '../../helpers/single-sign-on/browser.js';
import { type HostileProvider, startHostileProvider } from '../../helpers/single-sign-on/hostile-provider.js';
import { startOidcProvider } from '../../helpers/single-sign-on/provider.js';
import { accountOf, CALLBACK, PUBLIC_URL, settingsOf, startSingleSignOn } from '../../helpers/single-sign-on/setup.js';

async function setup(t: Test) {
  const provider = await startOidcProvider({ redirectUri: CALLBACK });
  const single = await startSingleSignOn();
  t.teardown(() => Promise.all([single.close(), provider.close()]));
  await single.verifyDomain('example.com');
  await single.asOwner('PUT', '/v1/single-sign-on', { body: settingsOf(provider) });
  const reasons = async () => (await single.audit('auth.login_failed')).map(({ metadata }) => Object(metadata).reason);
  return { ...single, provider, reasons };
}

t.test('an answer of the provider works once, in the browser that asked, within ten minutes', async (t) => {
  const { provider, start, callback, me, app } = await setup(t);
  provider.signInAs(accountOf('ada@example.com'));
  const victim = browser();
  const begun = (await start(victim)).headers.get('location');
  const flow = victim.cookie(app.url, 'picket_single_sign_on') ?? '';
  const address = await callback(victim, begun);

  t.comment('a link with the answer, opened by somebody else');
  const attacker = browser();
  t.match(await attacker.open(address), { status: 400, text: /not started in this browser/ });
  await start(attacker);
  t.match(
    await attacker.open(address),
    { status: 400, text: /not started in this browser/ },
    'also in the middle of an own log-in',
  );
  t.equal(await me(attacker), null);

  t.comment('it still works for the victim, once');
  t.equal((await victim.open(address)).status, 302);
  t.match(await me(victim), { email: 'ada@example.com' });
  victim.setCookie(app.url, 'picket_single_sign_on', flow);
  t.match(await victim.open(address), { status: 400, text: /used before/ });
  const thief = browser();
  thief.setCookie(app.url, 'picket_single_sign_on', flow);
  t.match(await thief.open(address), { status: 400, text: /used before/ }, 'with a stolen cookie too');

  t.comment('two at once');
  const twice = browser();
  const again = await callback(twice, (await start(twice)).headers.get('location'));
  const answers = await Promise.all([twice.open(again), twice.open(again)]);
  t.same(answers.map(({ status }) => status).sort(), [302, 400]);

  t.comment('a wrong or missing state');
  const other = browser();
  const code = new URL(await callback(other, (await start(other)).headers.get('location'))).searchParams.get('code');
  for (const query of [
    `code=${code}`,
    `code=${code}&state=`,
    `code=${code}&state=x`,
    '',
    `code=${code}&state=x&state=y`,
  ]) {
    t.equal((await other.open(`${app.url}/v1/auth/sso/callback?${query}`)).status, 400, query);
  }
  other.setCookie(app.url, 'picket_single_sign_on', 'v2.AAAA.BBBB');
  t.equal((await other.open(`${app.url}/v1/auth/sso/callback?code=${code}&state=x`)).status, 400, 'a forged cookie');
});

t.test('a log-in that takes longer than ten minutes is over', async (t) => {
  let ahead = 0;
  const { systemClock } = await import('../../../kernel/clock.js');
  const provider = await startOidcProvider({ redirectUri: CALLBACK });
  const single = await startSingleSignOn({ clock: { ...systemClock, now: () => systemClock.now() + ahead } });
  t.teardown(() => Promise.all([single.close(), provider.close()]));
  await single.verifyDomain('example.com');
  await single.asOwner('PUT', '/v1/single-sign-on', { body: settingsOf(provider) });
  provider.signInAs(accountOf('ada@example.com'));
  const visitor = browser();
  const address = await single.callback(visitor, (await single.start(visitor)).headers.get('location'));
  ahead = 600_000;
  t.match(await visitor.open(address), { status: 400, text: /took too long/ });
});

t.test('the code of another log-in is useless', async (t) => {
  const { provider, start, callback, me, reasons } = await setup(t);
  provider.signInAs(accountOf('victim@example.com'));
  const victim = browser();
  const stolen = new URL(await callback(victim, (await start(victim)).headers.get('location'))).searchParams.get(
    'code',
  );
  provider.signInAs(accountOf('eve@example.com'));
  const attacker = browser();
  const address = new URL(await callback(attacker, (await start(attacker)).headers.get('location')));
  address.searchParams.set('code', stolen ?? '');
  const answer = await attacker.open(address.href);
  t.match(answer, { status: 502, text: /refused the log-in/ });
  t.equal(await me(attacker), null);
  t.same(await reasons(), ['provider_error'], 'PKCE binds the code to the log-in that asked for it');
});

t.test('an answer that names another issuer is refused before its code is sent anywhere', async (t) => {
  const { provider, start, callback, reasons } = await setup(t);
  provider.signInAs(accountOf('ada@example.com'));
  const visitor = browser();
  const address = new URL(await callback(visitor, (await start(visitor)).headers.get('location')));
  t.equal(address.searchParams.get('iss'), provider.issuer, 'the provider names itself');
  address.searchParams.set('iss', 'https://evil.example');
  provider.requests.length = 0;
  t.equal((await visitor.open(address.href)).status, 403);
  t.same(
    provider.requests.filter((path) => path === '/token'),
    [],
  );
  t.same(await reasons(), ['invalid_response']);
});

t.test('tokens that are not for this log-in are refused', async (t) => {
  const provider = await startHostileProvider();
  const single = await startSingleSignOn();
  t.teardown(() => Promise.all([single.close(), provider.close()]));
  await single.verifyDomain('example.com');
  await single.asOwner('PUT', '/v1/single-sign-on', { body: settingsOf(provider) });
  const reason = async (forgery: Parameters<HostileProvider['forge']>[0]) => {
    const visitor = browser();
    const asked = new URL((await single.start(visitor)).headers.get('location') ?? '').searchParams;
    provider.forge({ ...forgery, claims: { nonce: asked.get('nonce'), ...forgery.claims } });
    const address = `${single.app.url}/v1/auth/sso/callback?code=c&state=${asked.get('state')}`;
    const { status } = await visitor.open(address);
    if (status === 302) return (await single.me(visitor))?.['email'];
    t.equal(await single.me(visitor), null);
    return Object((await single.audit('auth.login_failed')).at(-1)?.['metadata']).reason;
  };
  t.equal(await reason({}), 'ada@example.com', 'the right one is accepted');
  const now = Math.floor(Date.now() / 1_000);
  const wrong: [string, Parameters<HostileProvider['forge']>[0]][] = [
    ['another nonce', { claims: { nonce: 'n' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['another issuer', { claims: { iss: 'https://id.example' } }],
    ['another audience', { claims: { aud: 'somebody-else' } }],
    ['several audiences, issued to another one', { claims: { aud: ['picket', 'other'], azp: 'other' } }],
    ['expired', { claims: { iat: now - 900, exp: now - 600 } }],
    ['from the future', { claims: { nbf: now + 600 } }],
    ['no subject', { claims: { sub: undefined } }],
    ['signed with an unknown key', { signedWith: 'other' }],
    ['not signed', { signedWith: 'none' }],
    ['signed with the secret of the client', { signedWith: 'secret' }],
  ];
  for (const [what, forgery] of wrong) t.equal(await reason(forgery), 'invalid_response', what);
  t.equal(await reason({ claims: { email_verified: false } }), 'email_unverified');
  t.equal(await reason({ claims: { email_verified: 'false' } }), 'email_unverified');
  t.equal(await reason({ claims: { email: undefined } }), 'email_missing');
  t.equal(await reason({ claims: { email: 'ada@example.com, eve@evil.example' } }), 'email_missing');
  t.equal(await reason({ claims: { email: 'eve@evil.example' } }), 'domain_not_verified');
  t.equal(
    await reason({ claims: { email: 'eve@sub.example.com' } }),
    'domain_not_verified',
    'a domain below is another one',
  );
  t.equal(await reason({ claims: { sub: 'x'.repeat(256) } }), 'invalid_response');
  t.equal(await reason({ claims: { sub: 'eve' } }), 'subject_changed', 'a new person with the address of an old one');
  t.equal(
    provider.exchanged.every((body) => (body.get('code_verifier') ?? '').length === 43),
    true,
    'PKCE each time',
  );
  provider.answerInstead({
    path: '/token',
    status: 200,
    type: 'application/json',
    body: `{"a":"${'x'.repeat(200_000)}"}`,
  });
  t.equal(await reason({}), 'invalid_response', 'an answer without end');
  provider.answerInstead({
    path: '/token',
    status: 307,
    type: 'text/plain',
    body: '',
    location: `${provider.issuer}/keys`,
  });
  t.equal(await reason({}), 'provider_unavailable', 'a redirect is not followed');
});

t.test('a hostile workspace cannot take over accounts of others', async (t) => {
  const { app, provider, signIn, me, reasons, verifyDomain, db, sessions } = await setup(t);
  const { mongo, runTransaction } = app.parts;
  const users = db.collection<{ _id: string }>('users');

  t.comment('somebody who is not a member');
  const victim = await buildWorkspace(mongo, { email: 'victim@example.com' });
  provider.signInAs(accountOf('victim@example.com'));
  const attacker = browser();
  t.match(await signIn(attacker), { status: 403, text: /not a member of this workspace/ });
  t.equal(await me(attacker), null);
  t.equal(await db.collection('single_sign_on_identities').countDocuments(), 0, 'nothing is linked');

  t.comment('an address of a domain that belongs to another workspace, to nobody, or is not verified');
  await verifyDomain('other.example', victim.id);
  await db.collection<{ _id: string }>('single_sign_on_domains').insertOne({
    ...{ _id: `${app.workspace.id}/claimed.example`, workspace_id: app.workspace.id, domain: 'claimed.example' },
    ...{ token: 't', version: 1, verified_at_ms: null, checked_at_ms: null, created_at_ms: 1 },
  } as never);
  for (const email of ['ceo@other.example', 'ceo@nobody.example', 'ceo@claimed.example']) {
    provider.signInAs(accountOf(email));
    t.match(await signIn(browser()), { status: 403, text: /not a verified domain/ }, email);
    t.equal(await users.countDocuments({ email } as never), 0);
  }

  t.comment('a member who also has another workspace: the session works only in this one');
  const member = await buildWorkspace(mongo, { email: 'both@example.com' });
  await db.collection('memberships').insertOne({
    ...{ _id: `${app.workspace.id}/${member.userId}`, workspace_id: app.workspace.id, user_id: member.userId },
    ...{ role: 'member', created_at_ms: 1 },
  } as never);
  provider.signInAs(accountOf('both@example.com'));
  const bound = browser();
  t.equal((await signIn(bound)).status, 302);
  const actor = await me(bound);
  t.match(actor, { userId: member.userId, workspaceId: app.workspace.id });
  const { id } = Object(actor?.['session']);
  const move = runTransaction((tx) => sessions.ofPeople.moveTo(tx, id, member.id));
  await t.rejects(move, { code: 'forbidden' }, 'it does not move to another one');
  t.match(await db.collection('sessions').findOne({ _id: id }), { workspace_id: app.workspace.id });

  t.comment('an operator, who may change the whole installation');
  const workspaces = db.collection<WorkspaceDocument>('workspaces');
  const mark = { operates_installation: true } as const;
  await workspaces.updateOne({ _id: member.id }, { $set: mark });
  t.match(await signIn(browser()), { status: 403, text: /Operators log in another way/ });
  await workspaces.updateOne({ _id: member.id }, { $unset: { operates_installation: 1 } });

  t.comment('an account that somebody created in advance with the address of a member');
  await users.updateOne({ _id: member.userId }, { $set: { email_confirmed_at_ms: null } });
  await db.collection('single_sign_on_identities').deleteMany({});
  t.match(await signIn(browser()), { status: 403, text: /unconfirmed account/ });
  t.comment('where addresses count as confirmed without a proof');
  await users.updateOne({ _id: member.userId }, { $set: { email_confirmed_at_ms: 1, email_assumed: true } });
  t.match(await signIn(browser()), { status: 403, text: /unconfirmed account/ });

  t.comment('somebody who was removed');
  provider.signInAs(accountOf('gone@example.com'));
  const gone = browser();
  await signIn(gone);
  await db.collection('memberships').deleteMany({ user_id: (await me(gone))?.['userId'] });
  t.match(await signIn(browser()), { status: 403, text: /removed from this workspace/ });
  t.same(await reasons(), [
    ...['account_exists', 'domain_not_verified', 'domain_not_verified', 'domain_not_verified'],
    ...['operator_account', 'account_unconfirmed', 'account_unconfirmed', 'member_removed'],
  ]);
});

t.test(
  'a session of a workspace’s provider cannot change the account of the person, or see other places',
  async (t) => {
    const { app, provider, signIn, sessions } = await setup(t);
    provider.signInAs(accountOf('ada@example.com'));
    const visitor = browser();
    await signIn(visitor);
    const user = await app.parts.mongo.db.collection('users').findOne({ email: 'ada@example.com' });
    const client = buildClient({ ip: '192.0.2.9' });
    await app.parts.mongo.db.collection('memberships').insertOne({
      ...{
        _id: `ws_other/${user?._id}`,
        workspace_id: 'ws_other',
        user_id: user?._id,
        role: 'owner',
        created_at_ms: 2,
      },
    } as never);
    await app.parts.mongo.db
      .collection('workspaces')
      .insertOne({ _id: 'ws_other', name: 'Other', plan: 'Free' } as never);
    await app.parts.runTransaction((tx) =>
      sessions.signIn(tx, {
        user: user as never,
        client,
        method: 'password',
        secondFactor: false,
        workspaceId: 'ws_other',
      }),
    );
    const list = JSON.parse((await visitor.open(`${app.url}/v1/auth/sessions`)).text).data;
    t.equal(list.length, 1, 'only sessions of this workspace');
    const refused = await visitor.open(`${app.url}/v1/test/person`);
    t.equal(refused.status, 403);
    t.match(JSON.parse(refused.text), {
      code: 'forbidden',
      detail: /identity provider of a workspace opened this session/,
    });
  },
);

t.test('no redirect leads to another site, and no address comes from the headers of a request', async (t) => {
  const { provider, signIn, app } = await setup(t);
  provider.signInAs(accountOf('ada@example.com'));
  for (const next of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/%09/evil.example',
    '/%0d%0aSet-Cookie:a=b',
    'javascript:alert(1)',
    '/.//evil.example',
  ]) {
    const { headers, status } = await signIn(
      browser(),
      `workspace=${app.workspace.id}&next=${encodeURIComponent(decodeURIComponent(next))}`,
    );
    t.equal(status, 302);
    t.equal(new URL(headers.get('location') ?? '').origin, PUBLIC_URL, next);
    t.notMatch(headers.get('set-cookie'), /a=b/);
  }
  // fetch does not let a test choose the header Host.
  const poisoned = await new Promise<string>((resolve, reject) => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
    const path = `/v1/auth/sso/start?workspace=${app.workspace.id}`;
    httpRequest({ host: '127.0.0.1', port: app.port, path, headers }, (res) => {
      res.resume();
      resolve(res.headers.location ?? '');
    })
      .on('error', reject)
      .end();
  });
  t.equal(new URL(poisoned).searchParams.get('redirect_uri'), CALLBACK);
  t.notMatch(poisoned, /evil/);
});

t.test('a log-in that another site starts needs a click, so that nobody is logged in without noticing', async (t) => {
  const { app, provider } = await setup(t);
  const visitor = browser();
  const url = `${app.url}/v1/auth/sso/start?workspace=${app.workspace.id}&next=/monitors`;
  for (const site of ['cross-site', 'same-site']) {
    const page = await visitor.open(url, { 'sec-fetch-site': site });
    t.equal(page.status, 200);
    t.equal(page.headers.get('location'), null);
    t.match(page.text, new URL(provider.issuer).host);
    t.match(page.text, `href="${PUBLIC_URL}/v1/auth/sso/start?workspace=${app.workspace.id}&amp;next=%2Fmonitors"`);
    t.equal(visitor.cookie(app.url, 'picket_single_sign_on'), undefined);
  }
  for (const site of ['none', 'same-origin'])
    t.equal((await visitor.open(url, { 'sec-fetch-site': site })).status, 302);
});

t.test('strangers cannot fill the audit log of a workspace', async (t) => {
  const provider = await startHostileProvider();
  const single = await startSingleSignOn();
  t.teardown(() => Promise.all([single.close(), provider.close()]));
  await single.verifyDomain('example.com');
  await single.asOwner('PUT', '/v1/single-sign-on', { body: settingsOf(provider) });
  for (let attempt = 0; attempt < 40; attempt++) {
    const visitor = browser();
    const state = new URL((await single.start(visitor)).headers.get('location') ?? '').searchParams.get('state');
    t.equal((await visitor.open(`${single.app.url}/v1/auth/sso/callback?code=c&state=${state}`)).status, 403);
  }
  const recorded = (await single.audit('auth.login_failed')).length;
  t.ok(recorded >= 30 && recorded < 40, `${recorded} of 40`);
});

t.test('changed settings end a log-in in progress, and a HEAD request does not use up its answer', async (t) => {
  const { asOwner, provider, start, callback } = await setup(t);
  provider.signInAs(accountOf('ada@example.com'));
  const visitor = browser();
  const address = await callback(visitor, (await start(visitor)).headers.get('location'));
  t.equal((await fetch(address, { method: 'HEAD' })).status, 204);
  const other = await startHostileProvider();
  t.teardown(() => other.close());
  await asOwner('PUT', '/v1/single-sign-on', { body: settingsOf(other) });
  t.match(await visitor.open(address), { status: 400, text: /settings have changed/ });
  t.equal(other.exchanged.length, 0, 'the code is not sent to the new provider');
});
