import t, { type Test } from 'tap';
import { browser } from '../../helpers/single-sign-on/browser.js';
import { startOidcProvider } from '../../helpers/single-sign-on/provider.js';
import {
  accountOf,
  CALLBACK,
  PUBLIC_URL,
  type SingleSignOnOptions,
  settingsOf,
  startSingleSignOn,
} from '../../helpers/single-sign-on/setup.js';
import { storeInvitation } from '../../helpers/team/store-invitation.js';

async function setup(t: Test, options: SingleSignOnOptions & { settings?: Record<string, unknown> } = {}) {
  const provider = await startOidcProvider({ redirectUri: CALLBACK });
  const single = await startSingleSignOn(options);
  t.teardown(() => Promise.all([single.close(), provider.close()]));
  await single.verifyDomain('example.com');
  const save = (more: Record<string, unknown> = {}) =>
    single.asOwner('PUT', '/v1/single-sign-on', { body: settingsOf(provider, more) });
  const saved = await save(options.settings);
  if (saved.status !== 200) throw new Error(saved.text);
  return { ...single, provider, save };
}

t.test('the first log-in makes a member, and later ones find the same person', async (t) => {
  const { app, provider, signIn, me, audit, db, start } = await setup(t);
  const visitor = browser();
  provider.signInAs(accountOf('Ada@Example.com'));
  const done = await signIn(visitor, `workspace=${app.workspace.id}&next=/monitors?tab=1`);
  t.equal(done.status, 302, done.text);
  t.equal(done.headers.get('location'), `${PUBLIC_URL}/monitors?tab=1`);
  const actor = await me(visitor);
  t.match(actor, { email: 'ada@example.com', role: 'member', workspaceId: app.workspace.id, operator: false });
  t.match(actor, { session: { secondFactor: true, providerWorkspaceId: app.workspace.id, restriction: null } });
  t.equal(visitor.cookie(app.url, 'picket_single_sign_on'), undefined, 'the cookie of the log-in is gone');
  t.match(await db.collection('users').findOne({ email: 'ada@example.com' }), { password_hash: null });
  t.match(await audit('auth.login'), [{ actor: { email: 'ada@example.com' }, metadata: { method: 'single_sign_on' } }]);
  t.match(await audit('team.member_joined'), [{ metadata: { role: 'member', method: 'single_sign_on' } }]);

  const again = browser();
  const started = await start(again);
  const url = new URL(started.headers.get('location') ?? '');
  t.equal(url.origin, provider.issuer);
  for (const [name, value] of Object.entries({
    code_challenge_method: 'S256',
    response_type: 'code',
    redirect_uri: CALLBACK,
  })) {
    t.equal(url.searchParams.get(name), value);
  }
  t.match(url.searchParams.get('code_challenge'), /^[A-Za-z0-9_-]{43}$/);
  t.match(started.headers.get('set-cookie'), /HttpOnly; SameSite=Lax/);
  provider.signInAs({ ...accountOf('ada@example.com'), sub: 'subject of Ada@Example.com' });
  t.equal((await signIn(again)).status, 302);
  t.equal((await me(again))?.['userId'], actor?.['userId']);
  t.equal(await db.collection('users').countDocuments({ email: 'ada@example.com' }), 1);
});

t.test('the domain of an address finds the workspace', async (t) => {
  const { provider, signIn, start, me, app } = await setup(t);
  provider.signInAs(accountOf('bob@example.com'));
  const visitor = browser();
  const { headers } = await start(visitor, 'email=bob@example.com');
  t.equal(new URL(headers.get('location') ?? '').searchParams.get('login_hint'), 'bob@example.com');
  t.equal((await signIn(visitor, 'email=bob@example.com')).status, 302);
  t.match(await me(visitor), { workspaceId: app.workspace.id });
  const unknown = await start(visitor, 'email=bob@unknown.example');
  t.equal(unknown.status, 404);
  t.match(unknown.headers.get('content-type'), /^text\/html/);
  t.match(unknown.headers.get('content-security-policy'), /default-src 'none'.*frame-ancestors 'none'/);
  t.notMatch(unknown.text, /<script|unknown\.example/);
  for (const query of ['workspace=ws_1', 'workspace=%00', `workspace=ws_${'0'.repeat(26)}`, '', 'email=%00']) {
    t.equal((await start(visitor, query)).status, 404, query);
  }
});

t.test('the page of a refused log-in is in the language of the browser', async (t) => {
  const { app } = await setup(t);
  const refusedIn = async (acceptLanguage: string | null) => {
    const headers: Record<string, string> = acceptLanguage === null ? {} : { 'accept-language': acceptLanguage };
    const response = await fetch(`${app.url}/v1/auth/sso/start?email=bob@unknown.example`, { headers });
    t.equal(response.headers.get('vary')?.includes('Accept-Language'), true);
    t.match(await response.text(), `<html lang="${response.headers.get('content-language')}">`);
    return response.headers.get('content-language');
  };
  t.equal(await refusedIn('de-AT,de;q=0.9,en;q=0.8'), 'de');
  t.equal(await refusedIn('en-GB,de;q=0.5'), 'en');
  t.equal(await refusedIn('fr,ja;q=0.5'), 'en', 'English for every other language');
  t.equal(await refusedIn(null), 'en');
});

t.test('the role follows the claim at each log-in', async (t) => {
  const rule = {
    role_claim: 'groups',
    role_mapping: { ops: 'admin', dev: 'member', boss: 'owner' },
    owner_by_claim: true,
    default_role: null,
  };
  const { app, db, provider, signIn, me, audit, save } = await setup(t, { settings: rule });
  const roleWith = async (groups: unknown, email = 'ada@example.com') => {
    const visitor = browser();
    provider.signInAs(accountOf(email, { groups }));
    const { status } = await signIn(visitor);
    return status === 302 ? ((await me(visitor))?.['role'] ?? null) : status;
  };
  await storeInvitation(db, app.workspace, 'ada@example.com', 'owner');
  t.equal(await roleWith(['x', 'dev']), 'member');
  t.equal(await db.collection('invitations').countDocuments(), 0, 'the invitation from before ends');
  t.match((await audit('team.member_joined')).at(-1), { metadata: { role: 'member', invitations_revoked: 1 } });
  t.equal(await roleWith('ops'), 'admin');
  t.equal(await roleWith(['dev', 'ops', 'boss']), 'owner');
  await storeInvitation(db, app.workspace, 'ada@example.com', 'owner');
  t.equal(await roleWith('dev'), 'member', 'there is another owner');
  t.equal(await roleWith(['x']), 403, 'no access without a group');
  const changes = (await audit('team.role_changed')).map(({ metadata }) => Object(metadata).changes.role);
  t.match(changes, [
    { from: 'member', to: 'admin' },
    { from: 'admin', to: 'owner' },
    { from: 'owner', to: 'member' },
  ]);
  t.match((await audit('team.role_changed')).at(-1), { metadata: { sessions_ended: 1, invitations_revoked: 1 } });
  const changed = await app.parts.mongo.db.collection('memberships').findOne({ changes: 3 });
  t.match(changed, { role: 'member' }, 'each change counts, as those in Picket do');
  t.match((await audit('auth.login_failed')).at(-1), { metadata: { reason: 'no_access', method: 'single_sign_on' } });

  t.comment('the owner who may log in without the provider stays one');
  t.equal(await roleWith('boss', 'glass@example.com'), 'owner');
  const glass = await db.collection('users').findOne({ email: 'glass@example.com' });
  const policy = { enforced: false, break_glass_user_id: glass?._id };
  const own = { _id: app.workspace.id };
  await db.collection<{ _id: string }>('workspaces').updateOne(own, { $set: { single_sign_on: policy } });
  t.equal(await roleWith('dev', 'glass@example.com'), 'owner');
  await db.collection<{ _id: string }>('workspaces').updateOne(own, { $set: { single_sign_on: null } });
  t.equal(await roleWith('dev', 'glass@example.com'), 'member');

  t.comment('the last owner stays one');
  t.equal(await roleWith('boss', 'last@example.com'), 'owner');
  await app.parts.mongo.db.collection('memberships').deleteMany({ user_id: app.workspace.userId });
  t.equal(await roleWith('dev', 'last@example.com'), 'owner');
  t.comment('a claim makes no owner unless the workspace says so');
  await app.parts.mongo.db.collection<{ _id: string }>('memberships').insertOne({
    ...{ _id: `${app.workspace.id}/${app.workspace.userId}`, workspace_id: app.workspace.id },
    ...{ user_id: app.workspace.userId, role: 'owner', created_at_ms: 1 },
  } as never);
  t.equal((await save({ role_claim: 'groups', role_mapping: { dev: 'member' } })).status, 200);
  t.equal(await roleWith(['owner', 'boss'], 'eve@example.com'), 'member');
});

t.test('a change of the role ends the other sessions of the person in the workspace', async (t) => {
  const { provider, signIn, me, db } = await setup(t, {
    settings: { role_claim: 'groups', role_mapping: { ops: 'admin' }, default_role: 'viewer' },
  });
  const [first, second] = [browser(), browser()];
  provider.signInAs(accountOf('ada@example.com', { groups: 'ops' }));
  await signIn(first);
  provider.signInAs(accountOf('ada@example.com', { groups: [] }));
  await signIn(second);
  const actor = await me(second);
  t.match(actor, { role: 'viewer' });
  t.equal(await db.collection('sessions').countDocuments({ user_id: actor?.['userId'] }), 1);
});

t.test('a claim may come from the userinfo endpoint, and keys may rotate', async (t) => {
  const { provider, signIn, me } = await setup(t, {
    settings: { role_claim: 'realm_access.roles', role_mapping: { ops: 'admin' } },
  });
  provider.signInAs(accountOf('ada@example.com', { realm_access: { roles: ['ops'] } }));
  const visitor = browser();
  await signIn(visitor);
  t.match(await me(visitor), { role: 'admin' });
  provider.rotateKeys();
  const later = browser();
  t.equal((await signIn(later)).status, 302, 'with a token of the new key');
  t.match(await me(later), { role: 'admin' });
});

t.test('a provider that is down, and a person who cancels, get a page that says so', async (t) => {
  const { provider, signIn, start, callback, app, audit } = await setup(t);
  provider.signInAs(null);
  const cancelled = await signIn(browser());
  t.match(cancelled, { status: 403, text: /Log-in cancelled/ });
  provider.signInAs(accountOf('ada@example.com'));
  const visitor = browser();
  const address = await callback(visitor, (await start(visitor)).headers.get('location'));
  provider.stop();
  const down = await visitor.open(address);
  t.match(down, { status: 503, text: /does not answer/ });
  t.notMatch(down.text, /127\.0\.0\.1|ECONNREFUSED/, 'nothing about the network');
  t.match(
    (await audit('auth.login_failed')).map(({ metadata }) => Object(metadata).reason),
    ['sign_in_cancelled', 'provider_unavailable'],
  );
  provider.start();
  t.equal(
    (await visitor.open(`${app.url}/v1/auth/sso/start?workspace=${app.workspace.id}`)).status,
    302,
    'it works again',
  );
});

t.test('a fresh confirmation needs a log-in that asked the person', async (t) => {
  const { provider, signIn, me, app } = await setup(t);
  provider.signInAs(accountOf('ada@example.com'));
  const visitor = browser();
  await signIn(visitor);
  t.match(await me(visitor), { session: { confirmedAtMs: 0 } }, 'the provider may have known the browser');
  // Providers say it in whole seconds.
  const beforeMs = Math.floor(Date.now() / 1_000) * 1_000;
  const done = await signIn(visitor, `workspace=${app.workspace.id}&confirm=true`);
  t.equal(done.status, 302, done.text);
  const { confirmedAtMs } = Object((await me(visitor))?.['session']);
  t.ok(beforeMs <= confirmedAtMs && confirmedAtMs <= Date.now());
});

t.test('members have a limit, and two first log-ins at once make one account', async (t) => {
  const { provider, start, callback, app, db, signIn } = await setup(t);
  provider.signInAs(accountOf('ada@example.com'));
  const visitors = [browser(), browser(), browser()];
  const addresses = await Promise.all(
    visitors.map(async (visitor) => callback(visitor, (await start(visitor)).headers.get('location'))),
  );
  const answers = await Promise.all(visitors.map((visitor, index) => visitor.open(addresses[index] ?? '')));
  t.same(
    answers.map(({ status }) => status),
    [302, 302, 302],
    answers.map(({ text }) => text).join(),
  );
  t.equal(await db.collection('users').countDocuments({ email: 'ada@example.com' }), 1);
  t.equal(await db.collection('memberships').countDocuments({ workspace_id: app.workspace.id }), 2);
  await db.collection<{ _id: string }>('memberships').insertMany(
    Array.from({ length: 998 }, (_, index) => ({
      _id: `${app.workspace.id}/${index}`,
      workspace_id: app.workspace.id,
      user_id: `${index}`,
      role: 'viewer',
    })),
  );
  provider.signInAs(accountOf('bob@example.com'));
  t.match(await signIn(browser()), { status: 403, text: /too many members/ });
  t.equal(await db.collection('users').countDocuments({ email: 'bob@example.com' }), 0);
});

t.test('the provider of the installation', async (t) => {
  const provider = await startOidcProvider({ redirectUri: CALLBACK });
  const { issuer, clientId, clientSecret } = provider;
  const installation = {
    issuer,
    clientId,
    clientSecret,
    scopes: ['openid', 'email', 'profile'],
    roleClaim: 'groups',
    workspace: 'first',
    name: 'Example Ltd',
  };
  const single = await startSingleSignOn({ installation, operator: true });
  t.teardown(() => Promise.all([single.close(), provider.close()]));
  const { app, signIn, me, db } = single;
  const options = await app.request('GET', '/v1/auth/sso', { key: null });
  t.match(options.body.data, { installation: { name: 'Example Ltd', start_url: `${PUBLIC_URL}/v1/auth/sso/start` } });

  provider.signInAs(accountOf('ada@anything.example', { groups: ['admin', 'owner'] }));
  const visitor = browser();
  t.equal((await signIn(visitor, 'next=/')).status, 302);
  const ada = await me(visitor);
  t.match(ada, { role: 'admin', workspaceId: app.workspace.id, email: 'ada@anything.example' }, 'never an owner');
  t.equal(Object(ada?.['session']).providerWorkspaceId, undefined, 'the session may do everything');

  for (const email_verified of [false, undefined]) {
    provider.signInAs({
      sub: `x-${email_verified}`,
      claims: { email: 'eve@anything.example', ...(email_verified === undefined ? {} : { email_verified }) },
    });
    t.match(await signIn(browser(), 'next=/'), { status: 403, text: /not verified/ });
  }
  provider.signInAs(accountOf(app.workspace.email, { groups: 'viewer' }));
  const owner = browser();
  t.equal((await signIn(owner, 'next=/')).status, 302, 'an existing account');
  t.match(await me(owner), { userId: app.workspace.userId, role: 'owner' }, 'the owner stays one');

  await db
    .collection('users')
    .updateOne({ email: 'ada@anything.example' }, { $set: { email: 'renamed@anything.example' } });
  provider.signInAs(accountOf('ada@anything.example', { groups: 'viewer' }));
  const renamed = browser();
  await signIn(renamed, 'next=/');
  t.match(await me(renamed), { userId: ada?.['userId'], role: 'viewer' }, 'the subject decides, not the address');
});

t.test('an admin of the operators operates through the provider of their own workspace', async (t) => {
  const { app, provider, signIn, me, db } = await setup(t, { operator: true });
  const visitor = browser();
  provider.signInAs(accountOf('ada@example.com'));
  t.equal((await signIn(visitor)).status, 302);
  t.match(await me(visitor), { role: 'member', workspaceId: app.workspace.id, operator: false });
  const { userId } = Object(await me(visitor));
  await db.collection('memberships').updateOne({ user_id: userId }, { $set: { role: 'admin' } });
  const again = browser();
  const done = await signIn(again);
  t.equal(done.status, 302, done.text);
  t.match(await me(again), { role: 'admin', workspaceId: app.workspace.id, operator: true });
});
