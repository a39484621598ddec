import t, { type Test } from 'tap';
import { createMembershipsStore, membershipId } from '../../../control-plane/accounts/memberships-store.js';
import { createUsersStore } from '../../../control-plane/accounts/users-store.js';
import type { Client } from '../../../control-plane/http/client/client.js';
import type { SessionDocument } from '../../../control-plane/sessions/documents.js';
import { startApp } from '../../helpers/app.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildClient, buildSession, buildWorkspace, type TestWorkspace } from '../../helpers/factories.js';
import { openSessions, PING_ROUTES } from '../../helpers/sessions/setup.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());
const clock = testClock(Date.now());
const users = createUsersStore(mongo.db);
const stored = mongo.db.collection<SessionDocument>('sessions');

const app = await startApp({ mongo, routes: PING_ROUTES, clock });
t.teardown(() => app.close());
const slice = await openSessions(app.parts);

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0';

async function signIn(t: Test, person: TestWorkspace, client: Partial<Client> = {}, workspaceId?: string) {
  const user = await users.find(person.userId);
  if (user === null) throw t.fail('no such user');
  const asked = workspaceId === undefined ? {} : { workspaceId };
  return app.parts.runTransaction((tx) =>
    slice.signIn(tx, { user, client: buildClient(client), method: 'password', secondFactor: false, ...asked }),
  );
}

const cookieIn = (cookies: readonly string[]) => cookies[0]?.split(';')[0] ?? '';
const statusOf = async (cookie: string) =>
  (await app.request('GET', '/v1/ping', { key: null, headers: { cookie } })).status;

async function join(person: TestWorkspace, workspaceId: string, atMs: number): Promise<void> {
  const ids = { _id: membershipId(workspaceId, person.userId), workspace_id: workspaceId, user_id: person.userId };
  await app.parts.runTransaction((tx) =>
    createMembershipsStore(mongo.db).insert(tx, { ...ids, role: 'viewer', created_at_ms: atMs }),
  );
}

t.test('a log-in opens a session and records it', async (t) => {
  const person = await buildWorkspace(mongo, { operator: true });
  const { actor, cookies } = await signIn(t, person, { userAgent: BROWSER, ip: '2001:db8::1', requestId: 'r1' });
  t.match(actor, { kind: 'session', userId: person.userId, workspaceId: person.id, role: 'owner', key: null });
  t.match(actor.session, { id: /^ses_/, confirmedAtMs: clock.now(), secondFactor: false, restriction: null });
  t.match(cookies, [/^picket_session=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/]);
  t.equal(await statusOf(cookieIn(cookies)), 200);
  const document = await stored.findOne({ user_id: person.userId });
  t.match(document, { network: '2001:db8:0:0', ip: '2001:db8::1', user_agent: BROWSER, method: 'password' });
  t.notMatch(JSON.stringify(document), cookieIn(cookies).split('=')[1] ?? '', 'only a hash is stored');
  const entry = await mongo.db.collection('audit_log').findOne({ action: 'auth.login', workspace_id: person.id });
  t.match(entry, {
    actor: { id: person.userId, ip: '2001:db8::1' },
    resource: { type: 'session', id: actor.session?.id, name: 'Firefox on Linux' },
    metadata: { method: 'password', second_factor: false },
    request_id: 'r1',
  });
});

t.test('behind https the cookie is secure and belongs to the host', async (t) => {
  const secure = await openSessions(app.parts, { publicUrl: 'https://picket.test' });
  const person = await buildWorkspace(mongo);
  const user = await users.find(person.userId);
  if (user === null) throw t.fail('no such user');
  const { cookies } = await app.parts.runTransaction((tx) =>
    secure.signIn(tx, { user, client: buildClient(), method: 'passkey', secondFactor: true }),
  );
  t.match(cookies, [/^__Host-picket_session=.{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure$/]);
  t.match(secure.cookies.remove(), /^__Host-picket_session=; Path=\/; Max-Age=0; .*Secure$/);
});

t.test(
  'session fixation: the session whose cookie comes with a log-in ends, and its token is not taken over',
  async (t) => {
    const [attacker, victim] = [await buildWorkspace(mongo), await buildWorkspace(mongo)];
    const planted = await buildSession(mongo, attacker, { nowMs: clock.now() });
    t.equal(await statusOf(planted.cookie), 200);
    const { cookies } = await signIn(t, victim, { cookie: planted.cookie });
    t.not(cookieIn(cookies), planted.cookie);
    await clock.advance(5_000);
    t.equal(await statusOf(planted.cookie), 401);
    const invented = `picket_session=${'a'.repeat(43)}`;
    t.not(cookieIn((await signIn(t, victim, { cookie: invented })).cookies), invented);
  },
);

t.test('which workspace a log-in opens', async (t) => {
  const person = await buildWorkspace(mongo);
  const [second, third] = [await buildWorkspace(mongo), await buildWorkspace(mongo)];
  await join(person, second.id, clock.now() + 1_000);
  const opened = async (asked?: string) => (await signIn(t, person, {}, asked)).actor.workspaceId;
  t.equal(await opened(), second.id, 'the newest membership');
  t.equal(await opened(person.id), person.id, 'the one that is asked for');
  t.equal(await opened(), person.id, 'the last one');
  await t.rejects(opened(third.id), { code: 'forbidden' });
  await mongo.db.collection('memberships').deleteMany({ user_id: person.userId });
  const { actor } = await signIn(t, person);
  t.match(actor, { workspaceName: 'My workspace', plan: 'Free', role: 'owner' }, 'without any, a new one');
  t.notOk([person.id, second.id, third.id].includes(actor.workspaceId));
  t.equal(await opened(), actor.workspaceId);
});

t.test('the new workspace of an unconfirmed person notifies only their own address', async (t) => {
  const person = await buildWorkspace(mongo);
  await mongo.db.collection('memberships').deleteMany({ user_id: person.userId });
  await mongo.db
    .collection<{ _id: string }>('users')
    .updateOne({ _id: person.userId }, { $set: { email_confirmed_at_ms: null } });
  const [first, second] = await Promise.all([signIn(t, person), signIn(t, person)]);
  t.equal(first.actor.workspaceId, second.actor.workspaceId, 'concurrent log-ins create one');
  t.match(await mongo.db.collection<{ _id: string }>('workspaces').findOne({ _id: first.actor.workspaceId }), {
    ...{ name: 'My workspace', plan: 'Free', confirmed_at_ms: null },
    created_by_address: person.email,
  });
});

t.test('an address that nobody has confirmed gets no mail about a new device', async (t) => {
  const person = await buildWorkspace(mongo);
  const users = mongo.db.collection<{ _id: string }>('users');
  const mailsOf = async (userAgent: string, email_confirmed_at_ms: number | null) => {
    await users.updateOne({ _id: person.userId }, { $set: { email_confirmed_at_ms } });
    slice.mails.length = 0;
    await signIn(t, person, { userAgent, ip: '192.0.2.1' });
    return slice.mails.length;
  };
  t.same([await mailsOf('one/1', null), await mailsOf('two/1', null), await mailsOf('three/1', 1)], [0, 0, 1]);
});

t.test('a person gets a mail about a new device, but not about the first', async (t) => {
  const person = await buildWorkspace(mongo);
  const mails = async (client: Partial<Client>) => {
    slice.mails.length = 0;
    await signIn(t, person, client);
    return slice.mails.map(({ to, kind, facts }) => ({ to, kind, facts }));
  };
  const firefox = { userAgent: BROWSER, ip: '192.0.2.1' };
  t.same(await mails(firefox), []);
  t.same(await mails({ ...firefox, userAgent: BROWSER.replaceAll('121', '122') }), [], 'an update is no new device');
  t.match(await mails({ ...firefox, userAgent: 'curl/8.5.0' }), [
    {
      ...{ to: person.email, kind: 'new_device' },
      facts: [{}, { value: 'curl' }, { value: '192.0.2.1' }, { value: 'password' }],
    },
  ]);
  t.equal((await mails({ ...firefox, ip: '192.0.2.2' })).length, 1, 'another network');
  t.same(await mails({ ...firefox, ip: '192.0.2.2' }), []);
  await app.parts.runTransaction((tx) => slice.ofPeople.endAll(tx, person.userId));
  t.same(await mails(firefox), [], 'also when no session is left');
});

t.test('the oldest sessions end when a person has too many', async (t) => {
  const person = await buildWorkspace(mongo);
  const { session } = await buildSession(mongo, person, { nowMs: clock.now() });
  const others = Array.from({ length: 999 }, () => {
    const _id = app.parts.ids.next('ses');
    return { ...session, _id, token_hash: _id };
  });
  await stored.insertMany(others);
  const oldest = await stored.findOne({ user_id: person.userId }, { sort: { _id: 1 } });
  await signIn(t, person);
  await waitFor('the oldest is gone', 60_000, async () => (await stored.findOne({ _id: oldest?._id ?? '' })) === null);
  t.equal(await stored.countDocuments({ user_id: person.userId }), 1_000);
});

t.test('people log in at the same time', async (t) => {
  const person = await buildWorkspace(mongo);
  const all = await Promise.all(Array.from({ length: 20 }, () => signIn(t, person)));
  t.equal(new Set(all.map(({ actor }) => actor.session?.id)).size, 20);
  t.equal(await stored.countDocuments({ user_id: person.userId }), 20);
});
