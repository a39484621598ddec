import t, { type Test } from 'tap';
import { createJoin, createJoinTeam } from '../../../control-plane/accounts/join.js';
import { createEndOnJoin } from '../../../control-plane/accounts/member-access.js';
import { createMembershipsStore } from '../../../control-plane/accounts/memberships-store.js';
import { createUsersStore } from '../../../control-plane/accounts/users-store.js';
import { createWorkspacesStore } from '../../../control-plane/accounts/workspaces-store.js';
import type { Authenticator } from '../../../control-plane/http/authenticate.js';
import type { Sessions } from '../../../control-plane/sessions/sessions.js';
import { trustedHeaderSlice } from '../../../control-plane/single-sign-on/trusted-header/open.js';
import { createEndInvitations } from '../../../control-plane/team/invitations/end.js';
import { createInvitationsStore } from '../../../control-plane/team/invitations/store.js';
import { type Clock, systemClock } from '../../../kernel/clock.js';
import { exactNetworks, readNetworks } from '../../../kernel/guard/networks.js';
import { startApp } from '../../helpers/app.js';
import { testDatabase } from '../../helpers/database.js';
import { buildWorkspace } from '../../helpers/factories.js';
import { atHost } from '../../helpers/http/at-host.js';
import { PING_ROUTES } from '../../helpers/sessions/setup.js';
import { storeInvitation } from '../../helpers/team/store-invitation.js';

async function setup(
  t: Test,
  { proxies = '127.0.0.1', clock = systemClock }: { proxies?: string; clock?: Clock } = {},
) {
  const mongo = await testDatabase();
  const networks = exactNetworks(readNetworks('PICKET_TRUSTED_PROXIES', proxies));
  let authenticators: readonly Authenticator[] = [];
  let opened: { sessions: Sessions } | null = null;
  const app = await startApp({
    ...{ mongo, clock, trustedProxies: proxies.split(',') },
    async routes(parts) {
      const memberships = createMembershipsStore(mongo.db);
      const endOnJoin = createEndOnJoin(() => [createEndInvitations(createInvitationsStore(mongo.db))]);
      const slice = await trustedHeaderSlice.open({
        ...{ ...parts, db: mongo.db, users: createUsersStore(mongo.db), workspaces: createWorkspacesStore(mongo.db) },
        ...{ trustedProxies: networks, publicUrl: 'http://picket.test' },
        ...{ memberships, join: createJoinTeam(createJoin({ memberships, clock }), endOnJoin) },
        header: { name: 'remote-email', role: 'viewer' },
        signedIn: async () => null,
        proveAddress: async () => t.fail('every address is proved here') as never,
      });
      authenticators = slice.firstAuthenticators ?? [];
      opened = slice;
      return PING_ROUTES;
    },
    authenticators: () => authenticators,
  });
  t.teardown(async () => {
    await app.close();
    await mongo.drop();
  });
  const as = (value: string, method = 'GET', headers: Record<string, string> = {}) =>
    atHost(headers['host'] ?? 'picket.test', `${app.url}/v1/ping`, {
      method,
      headers: { 'remote-email': value, ...headers },
    });
  if (opened === null) throw new Error('the slice was not opened');
  const { sessions }: { sessions: Sessions } = opened;
  return { app, mongo, db: mongo.db, as, sessions };
}

t.test('the header of a trusted proxy logs in the person whom it names', async (t) => {
  const { app, db, as } = await setup(t);
  t.match(await as(app.workspace.email.toUpperCase()), { status: 200, body: { data: { email: app.workspace.email } } });
  t.match(await as('New@Example.com'), { status: 200, body: { data: { email: 'new@example.com' } } });
  const user = await db.collection('users').findOne({ email: 'new@example.com' });
  t.match(user, { password_hash: null });
  t.match(await db.collection('memberships').findOne({ user_id: user?._id }), {
    workspace_id: app.workspace.id,
    role: 'viewer',
  });
  await Promise.all(['a', 'b', 'c'].map(() => as('many@example.com')));
  t.equal(
    await db.collection('users').countDocuments({ email: 'many@example.com' }),
    1,
    'once, also for requests at once',
  );
  const joined = await db.collection('audit_log').find({ action: 'team.member_joined' }).toArray();
  t.match(
    joined.map(({ metadata }) => metadata),
    [{ method: 'header', role: 'viewer' }, { method: 'header' }],
  );
});

t.test('whom the proxy makes a member has no open invitation of the workspace any more', async (t) => {
  const { app, db, as } = await setup(t);
  await storeInvitation(db, app.workspace, 'invited@example.com');
  await storeInvitation(db, { ...app.workspace, id: 'ws_other' }, 'invited@example.com');
  t.equal((await as('invited@example.com')).status, 200);
  t.match(await db.collection('invitations').find().toArray(), [{ workspace_id: 'ws_other' }]);
  const [joined] = await db.collection('audit_log').find({ action: 'team.member_joined' }).toArray();
  t.match(joined?.['metadata'], { method: 'header', invitations_revoked: 1 });
});

t.test('values that are not one e-mail address are refused', async (t) => {
  const { as, db, app } = await setup(t);
  const before = await db.collection('users').countDocuments();
  for (const value of [
    'ada',
    'ada@example.com, eve@example.com',
    'ada@example.com eve@example.com',
    `${'a'.repeat(300)}@example.com`,
    '<ada@example.com>',
  ]) {
    t.match(await as(value), { status: 401, body: { code: 'unauthenticated' } }, value);
  }
  t.equal((await as('')).status, 401, 'an empty value is none');
  t.equal(await db.collection('users').countDocuments(), before);
  t.equal(
    (await app.request('GET', '/v1/ping', { headers: { 'remote-email': 'ada' } })).status,
    200,
    'a key goes before the header',
  );
});

t.test('from anybody else the header means nothing', async (t) => {
  const { app, as, db } = await setup(t, { proxies: '192.0.2.1' });
  t.match(await as(app.workspace.email), { status: 401, body: { code: 'unauthenticated' } });
  const forged = { 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.1' };
  t.equal((await as(app.workspace.email, 'GET', forged)).status, 401, 'also from somebody who claims to be the proxy');
  t.equal(await db.collection('users').countDocuments(), 1);
});

t.test('a page of another site cannot use the trusted header', async (t) => {
  const { app, as } = await setup(t);
  t.match(await as(app.workspace.email, 'POST', { origin: 'https://evil.example' }), {
    status: 403,
    body: { code: 'forbidden' },
  });
  t.equal((await as(app.workspace.email, 'POST', { 'sec-fetch-site': 'cross-site' })).status, 403);
  t.equal((await as(app.workspace.email, 'POST', { origin: 'http://picket.test' })).status, 200);
});

t.test(
  'a page whose name leads to the proxy reads and changes nothing as the person whom the proxy names',
  async (t) => {
    const { app, as } = await setup(t);
    const { email } = app.workspace;
    for (const host of ['evil.example', 'picket.test.evil.example', 'picket.test:8080', '127.0.0.1', `x@picket.test`]) {
      for (const method of ['GET', 'POST']) {
        const rebound = await as(email, method, { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' });
        t.match(rebound, { status: 401, body: { detail: /Open Picket at/ } }, `${method} ${host}`);
        t.equal((await as(email, method, { host })).status, 401, `${method} ${host} without an origin`);
      }
    }
    for (const origin of ['https://picket.test', 'http://picket.test:8080', 'null']) {
      t.equal((await as(email, 'POST', { origin })).status, 403, `${origin}: not the public URL`);
    }
    t.equal((await as(email, 'POST', { host: 'PICKET.test:80', origin: 'http://picket.test' })).status, 200, 'its own');
    const headers = { 'remote-email': email, authorization: `Bearer ${app.key}` };
    const byKey = await atHost('127.0.0.1', `${app.url}/v1/ping`, { headers });
    t.equal(byKey.status, 200, 'a key, which no page has, at another name');
  },
);

t.test('somebody who is removed reads on for at most five seconds, and changes nothing', async (t) => {
  let ahead = 0;
  const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + ahead };
  const { db, as } = await setup(t, { clock });
  t.equal((await as('ada@example.com')).status, 200);
  const user = await db.collection('users').findOne({ email: 'ada@example.com' });
  await db.collection('memberships').deleteMany({ user_id: user?._id });
  t.equal((await as('ada@example.com')).status, 200, 'a read, after a change on another control plane');
  t.match(await as('ada@example.com', 'POST'), { status: 401, body: { detail: /not a member/ } });
  t.equal((await as('ada@example.com')).status, 401, 'a refusal is known at once');
  t.equal((await as('bob@example.com')).status, 200);
  await db.collection('memberships').deleteMany({});
  ahead = 5_000;
  t.equal((await as('bob@example.com')).status, 401);
  t.match(await as('ada@example.com'), { status: 401, body: { detail: /not a member/ } });
  t.equal(await db.collection('memberships').countDocuments({ user_id: user?._id }), 0, 'and does not come back');
});

t.test('a person whose sessions end because of other rights is read again at once', async (t) => {
  const { app, db, as, sessions } = await setup(t);
  t.equal((await as('ada@example.com')).status, 200);
  const user = await db.collection<{ _id: string }>('users').findOne({ email: 'ada@example.com' });
  await db.collection('memberships').deleteMany({ user_id: user?._id });
  await app.parts.runTransaction((tx) => sessions.endAll(tx, user?._id ?? '', { workspaceId: app.workspace.id }));
  t.equal((await as('ada@example.com')).status, 401);
});

t.test('a page that was loaded for another workspace has the person read again, at most once a second', async (t) => {
  let ahead = 0;
  const clock = { ...systemClock, monotonic: () => ahead };
  const { app, db, mongo, as } = await setup(t, { clock });
  const { userId, email, id: first } = app.workspace;
  const { id: second } = await buildWorkspace(mongo);
  await db.collection('memberships').insertOne({
    ...{ _id: `${second}/${userId}`, workspace_id: second, user_id: userId, role: 'viewer', created_at_ms: 1 },
  } as object);
  // As another control plane does it.
  const switchTo = (last_workspace_id: string) =>
    db.collection<{ _id: string }>('users').updateOne({ _id: userId }, { $set: { last_workspace_id } });
  const page = async (workspaceId: string) =>
    (await as(email, 'GET', { 'picket-loaded-for': `${workspaceId} ${userId}` })).status;
  await switchTo(first);
  t.equal(await page(first), 200);
  await switchTo(second);
  t.equal(await page(second), 200, 'at once, though the workspace before is in the cache');
  t.equal(await page(first), 409);
  await switchTo(first);
  t.equal(await page(first), 409, 'no page causes more than one query a second');
  ahead = 1_000;
  t.equal(await page(first), 200);
});

t.test('the audit log gets one log-in of a person in twelve hours', async (t) => {
  let ahead = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + ahead };
  const { app, db, as } = await setup(t, { clock });
  const count = () => db.collection('audit_log').countDocuments({ action: 'auth.login', 'metadata.method': 'header' });
  for (let request = 0; request < 3; request++) await as(app.workspace.email);
  t.equal(await count(), 1);
  ahead = 12 * 3_600_000;
  await as(app.workspace.email);
  t.equal(await count(), 2);
});

t.test('a workspace that enforces its own provider restricts people of the header', async (t) => {
  const { app, db, as } = await setup(t);
  const single_sign_on = { enforced: true, break_glass_user_id: null };
  await db.collection<{ _id: string }>('workspaces').updateOne({ _id: app.workspace.id }, { $set: { single_sign_on } });
  t.match(await as(app.workspace.email, 'POST'), { status: 403, body: { code: 'single_sign_on_required' } });
});
