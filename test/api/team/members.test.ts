import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { buildKey } from '../../helpers/factories.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { INVITATIONS, newAddress } from '../../helpers/team/invitations.js';
import { type Person, requestAs, storePerson, storeSession, storeWorkspace } from '../../helpers/team/people.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
const { url, remove } = await startControlPlane(mongo.uri);
t.teardown(async () => {
  await remove();
  await mongo.drop();
});

/** Another control plane notices the end of a session within five seconds, of which a slow machine makes more. */
const NOTICED_MS = 60_000;

const as = (person: Person | null, ...request: [method: string, path: string, body?: unknown]) =>
  requestAs(url, person?.cookie ?? null, request);
const memberPath = ({ userId }: Person) => `/v1/team/members/${userId}`;
const entries = (workspaceId: string, action: string) =>
  mongo.db.collection('audit_log').find({ workspace_id: workspaceId, action }).sort({ _id: 1 }).toArray();

/** A workspace with one person of each role. */
async function team() {
  const workspaceId = await storeWorkspace(mongo);
  const [owner, admin, member, viewer] = await Promise.all(
    (['owner', 'admin', 'member', 'viewer'] as const).map((role) => storePerson(mongo, workspaceId, role)),
  );
  if (owner === undefined || admin === undefined || member === undefined || viewer === undefined) throw new Error();
  return { workspaceId, owner, admin, member, viewer };
}

t.test('every member sees the members, page by page', async (t) => {
  const { owner, admin, member, viewer } = await team();
  const other = await team();
  for (const person of [owner, admin, member, viewer]) {
    const list = await as(person, 'GET', '/v1/team/members');
    t.equal(list.status, 200, person.role);
    t.same(
      list.body.data.map(({ id }: { id: string }) => id).sort(),
      [owner, admin, member, viewer].map(({ userId }) => userId).sort(),
    );
  }
  const seen: string[] = [];
  let cursor = '';
  do {
    const page = await as(viewer, 'GET', `/v1/team/members?limit=1${cursor}`);
    seen.push(...page.body.data.map(({ id }: { id: string }) => id));
    cursor = page.body.next_cursor === null ? '' : `&cursor=${page.body.next_cursor}`;
  } while (cursor !== '');
  t.equal(new Set(seen).size, 4);
  t.equal(seen.length, 4);
  t.match(await as(owner, 'GET', '/v1/team/members?role=admin'), { body: { data: [{ id: admin.userId }] } });
  const search = (q: string) => as(owner, 'GET', `/v1/team/members?q=${encodeURIComponent(q)}`);
  t.match((await search(`${member.userId.slice(4).toUpperCase()}@`)).body.data, [{ id: member.userId }]);
  t.equal((await search('@example.')).body.data.length, 4);
  t.same((await search('.*')).body.data, [], 'no pattern');
  t.same((await search(other.owner.email)).body.data, [], 'nobody of another workspace');
  const one = await as(viewer, 'GET', memberPath(member));
  t.match(one.body.data, { email: member.email, role: 'member', second_factor: false, joined_at: /Z$/ });
  t.equal(one.headers.get('etag'), '"1"');
  t.equal((await as(other.owner, 'GET', memberPath(member))).status, 404, 'not from another workspace');
});

t.test('an admin changes roles, but only an owner makes or replaces owners', async (t) => {
  const { workspaceId, owner, admin, member, viewer } = await team();
  const change = (by: Person, whom: Person, role: string) => as(by, 'PATCH', memberPath(whom), { role });
  t.equal((await change(member, viewer, 'member')).status, 403);
  t.equal((await change(viewer, viewer, 'admin')).status, 403, 'nobody promotes themselves');
  t.equal((await change(admin, admin, 'owner')).status, 403);
  t.equal((await change(admin, owner, 'viewer')).status, 403);
  const promoted = await change(admin, viewer, 'member');
  t.match(promoted, { status: 200, body: { data: { role: 'member' } } });
  t.equal(promoted.headers.get('etag'), '"2"');
  t.equal((await change(admin, viewer, 'member')).status, 200, 'the same role again');
  t.equal((await change(owner, admin, 'owner')).status, 200);
  t.match(await entries(workspaceId, 'team.role_changed'), [
    {
      severity: 'warning',
      actor: { id: admin.userId },
      resource: { type: 'user', id: viewer.userId, name: viewer.email },
      metadata: { changes: { role: { from: 'viewer', to: 'member' } } },
    },
    { severity: 'critical', metadata: { changes: { role: { from: 'admin', to: 'owner' } } } },
  ]);
  t.equal((await entries(workspaceId, 'team.role_changed')).length, 2, 'the same role is no change');
});

t.test('a change of the role ends the sessions in this workspace, and keys get the new rights', async (t) => {
  const { owner, member } = await team();
  const elsewhere = await storeWorkspace(mongo);
  const otherCookie = (await storePerson(mongo, elsewhere, 'member', { existing: member })).cookie;
  const key = (...request: [string, string, unknown?]) => requestAs(url, member.key, request);
  const monitor = { name: 'm', type: 'http', url: 'http://127.0.0.1:9/' };
  t.equal((await key('POST', '/v1/monitors', monitor)).status, 201);
  t.equal((await as(member, 'GET', '/v1/auth/me')).status, 200);
  t.equal((await as(owner, 'PATCH', memberPath(member), { role: 'viewer' })).status, 200);
  await waitFor('the end of the session', NOTICED_MS, async () => {
    return (await as(member, 'GET', '/v1/auth/me')).status === 401;
  });
  t.equal((await requestAs(url, otherCookie, ['GET', '/v1/auth/me'])).status, 200, 'a session elsewhere goes on');
  await waitFor('the rights of the key', NOTICED_MS, async () => {
    return (await key('POST', '/v1/monitors', monitor)).status === 403;
  });
  t.equal((await key('GET', '/v1/monitors')).status, 200, 'a key of a viewer still reads');
});

t.test('a removed person loses sessions and keys of this workspace, for good', async (t) => {
  const { workspaceId, owner, admin, member } = await team();
  t.equal((await as(member, 'DELETE', memberPath(admin))).status, 403);
  t.equal((await as(admin, 'DELETE', memberPath(owner))).status, 403);
  t.equal((await as(admin, 'DELETE', memberPath(member))).status, 204);
  t.equal((await as(admin, 'DELETE', memberPath(member))).status, 404);
  for (const credential of [member.cookie, member.key]) {
    await waitFor('the end of the access', NOTICED_MS, async () => {
      return (await requestAs(url, credential, ['GET', '/v1/monitors'])).status === 401;
    });
  }
  await mongo.db.collection<{ _id: string }>('memberships').insertOne({
    ...{ _id: `${workspaceId}/${member.userId}`, workspace_id: workspaceId, user_id: member.userId },
    ...{ role: 'member', created_at_ms: Date.now() },
  });
  const again = await storeSession(mongo, { userId: member.userId, workspaceId });
  t.equal((await requestAs(url, again, ['GET', '/v1/monitors'])).status, 200, 'who comes back');
  t.equal((await requestAs(url, member.key, ['GET', '/v1/monitors'])).body.code, 'key_revoked', 'has no old key');
  t.match(await entries(workspaceId, 'team.member_removed'), [
    {
      severity: 'warning',
      resource: { id: member.userId },
      metadata: { role: 'member', left: false, api_keys_revoked: 1 },
    },
  ]);
});

t.test('everybody can leave, except the last owner', async (t) => {
  const { workspaceId, owner, viewer } = await team();
  t.equal((await as(viewer, 'DELETE', memberPath(viewer))).status, 204);
  t.match(await as(owner, 'DELETE', memberPath(owner)), { status: 409, body: { code: 'conflict' } });
  t.equal((await as(owner, 'PATCH', memberPath(owner), { role: 'admin' })).status, 409);
  const second = await storePerson(mongo, workspaceId, 'owner');
  t.equal((await as(owner, 'DELETE', memberPath(owner))).status, 204);
  t.equal((await as(second, 'DELETE', memberPath(second))).status, 409);
  t.match(await entries(workspaceId, 'team.member_removed'), [
    { metadata: { left: true, role: 'viewer' } },
    { severity: 'critical', metadata: { left: true, role: 'owner' } },
  ]);
});

t.test('two owners who leave, remove or demote each other at once leave one', async (t) => {
  const attempts: ((one: Person, other: Person) => Promise<{ status: number }>)[] = [
    (one) => as(one, 'DELETE', memberPath(one)),
    (one, other) => as(one, 'DELETE', memberPath(other)),
    (one) => as(one, 'PATCH', memberPath(one), { role: 'viewer' }),
    (one, other) => as(one, 'PATCH', memberPath(other), { role: 'admin' }),
  ];
  for (const attempt of attempts) {
    for (let round = 0; round < 5; round++) {
      const workspaceId = await storeWorkspace(mongo);
      const [one, other] = [
        await storePerson(mongo, workspaceId, 'owner'),
        await storePerson(mongo, workspaceId, 'owner'),
      ];
      // Sessions are authenticated before, so that the end of one does not save the other owner.
      await Promise.all([one, other].map((person) => as(person, 'GET', '/v1/auth/me')));
      const answers = await Promise.all([attempt(one, other), attempt(other, one)]);
      const owners = await mongo.db
        .collection('memberships')
        .countDocuments({ workspace_id: workspaceId, role: 'owner' });
      t.equal(owners, 1, answers.map(({ status }) => status).join());
    }
  }
});

t.test('a change of the team needs a fresh confirmation', async (t) => {
  const { workspaceId, owner, member } = await team();
  const stale = await storeSession(mongo, {
    ...{ userId: owner.userId, workspaceId, confirmed_at_ms: Date.now() - 11 * 60_000 },
  });
  const requests: [string, string, unknown?][] = [
    ['PATCH', memberPath(member), { role: 'viewer' }],
    ['DELETE', memberPath(member)],
    ['POST', '/v1/team/invitations', { email: 'x@example.com', role: 'viewer' }],
    ['POST', '/v1/team/invitations/inv_01jjwzmz000000000000000000/resend'],
    ['DELETE', '/v1/team/invitations/inv_01jjwzmz000000000000000000'],
  ];
  for (const request of requests) {
    t.match(await requestAs(url, stale, request), { status: 403, body: { code: 'confirmation_required' } });
  }
  t.equal((await requestAs(url, stale, ['GET', '/v1/team/members'])).status, 200);
  t.equal((await requestAs(url, owner.key, ['DELETE', memberPath(member)])).status, 204, 'a key is exempt');
});

t.test('If-Match prevents lost updates', async (t) => {
  const { owner, member } = await team();
  const patch = (tag: string, role: string) =>
    fetch(`${url}${memberPath(member)}`, {
      method: 'PATCH',
      headers: { cookie: owner.cookie, 'content-type': 'application/json', 'if-match': tag },
      body: JSON.stringify({ role }),
    });
  t.equal((await patch('"1"', 'viewer')).status, 200);
  t.equal((await patch('"1"', 'admin')).status, 412);
  t.equal((await patch('"2"', 'admin')).status, 200);
});

t.test('a key with an expiry gives nobody rights that would outlive it', async (t) => {
  const { workspaceId, owner, admin, member } = await team();
  const by = { id: workspaceId, userId: owner.userId };
  const { key } = await buildKey(mongo, by, { expiresAtMs: Date.now() + 3_600_000 });
  const lasting = (await buildKey(mongo, by)).key;
  const invite = (credential: string, role: string) =>
    requestAs(url, credential, ['POST', INVITATIONS, { email: newAddress(), role }]);
  const change = (credential: string, whom: Person, role: string) =>
    requestAs(url, credential, ['PATCH', memberPath(whom), { role }]);
  const refused = { status: 403, body: { code: 'forbidden', detail: /key with an expiry/ } };
  for (const role of ['owner', 'admin']) {
    t.match(await invite(key, role), refused, role);
    t.match(await change(key, member, role), refused, role);
    const waiting = await invite(owner.cookie, role);
    const again = ['POST', `${INVITATIONS}/${waiting.body.data.id}/resend`] as [string, string];
    t.match(await requestAs(url, key, again), refused, 'the answer would have the link');
    t.equal((await requestAs(url, lasting, again)).status, 200);
  }
  t.match(await change(key, admin, 'owner'), refused);
  t.equal((await invite(key, 'member')).status, 201, 'a member makes no keys');
  t.equal((await change(key, member, 'viewer')).status, 200);
  t.equal((await change(lasting, member, 'owner')).status, 200, 'which no expiry ends');
  t.equal((await change(key, member, 'admin')).status, 200, 'with fewer rights than before');
  const attempts = await entries(workspaceId, 'team.change_refused');
  t.equal(attempts.length, 7, 'each attempt is in the audit log');
});
