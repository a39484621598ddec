import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { UserDocument, WorkspaceDocument } from '../../../control-plane/accounts/documents.js';
import type { Role } from '../../../control-plane/roles.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey } from '../../helpers/factories.js';
import { openEvents, type ReceivedEvent } from '../../helpers/live/event-client.js';
import { enrolNode } from '../../helpers/node-link/fake-node.js';
import { type ControlPlane, startControlPlane } from '../../helpers/processes/control-plane.js';
import { type Person, requestAs, storePerson, storeSession, storeWorkspace } from '../../helpers/team/people.js';

/** Two control planes of one installation. */
const mongo = await testDatabase();
const first = await startControlPlane(mongo.uri);
const second = await startOther();
const planes = [first, second];
t.teardown(async () => {
  await Promise.all(planes.slice(1).map(({ stop }) => stop()));
  await first.remove();
  await mongo.drop();
});
const { email, password } = JSON.parse(await readFile(join(first.dataDir, 'first-run.json'), 'utf8'));
const workspaces = mongo.db.collection<WorkspaceDocument>('workspaces');
const users = mongo.db.collection<UserDocument>('users');
const isReady = ({ type }: ReceivedEvent) => type === 'ready';
const isEnd = ({ type }: ReceivedEvent) => type === 'end';
const LIST = ['GET', '/v1/admin/workspaces'] as const;

/** The person of the first run, after a real log-in. */
const firstOwner = await logIn();
const operators = firstOwner.workspaceId;
/** Another owner of that workspace. */
const owner = await storePerson(mongo, operators, 'owner');
const tenant = await storePerson(mongo, await storeWorkspace(mongo), 'owner');

/** Starts another control plane of the same installation. */
function startOther(): Promise<ControlPlane> {
  const { PICKET_HTTP_PORT: _http, PICKET_GRPC_PORT: _grpc, ...installation } = first.env;
  return startControlPlane(mongo.uri, installation);
}

async function logIn() {
  const answer = await requestAs(first.url, null, ['POST', '/v1/auth/login', { email, password }]);
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const { id: userId, workspace } = (await requestAs(first.url, cookie, ['GET', '/v1/auth/me'])).body.data;
  return { cookie, userId, workspaceId: String(workspace.id), key: first.apiKey };
}

const isOperator = async ({ url }: ControlPlane, credential: string) =>
  (await requestAs(url, credential, ['GET', '/v1/auth/me'])).body.data.operator;
const statusOn = async ({ url }: ControlPlane, credential: string) =>
  (await requestAs(url, credential, [...LIST])).status;
const statuses = (credential: string) => Promise.all(planes.map((plane) => statusOn(plane, credential)));
const tokenOf = async (credential: string): Promise<string> => {
  const made = await requestAs(first.url, credential, ['POST', '/v1/admin/probes/join-tokens', { location: 'fra' }]);
  return made.body.data.token;
};
const auditOf = (workspace_id: string, action: string) =>
  mongo.db.collection('audit_log').find({ workspace_id, action }).sort({ _id: 1 }).toArray();

t.test('owners and admins of the first workspace are operators, members and viewers are not', async (t) => {
  for (const [role, status] of [
    ['owner', 200],
    ['admin', 200],
    ['member', 404],
    ['viewer', 404],
  ] as [Role, number][]) {
    const person = await storePerson(mongo, operators, role);
    for (const credential of [person.cookie, person.key]) {
      t.same(await statuses(credential), [status, status], role);
      t.equal(await isOperator(first, credential), status === 200, role);
    }
    const { key } = await buildKey(mongo, { id: operators, userId: person.userId }, { scopes: ['monitors:read'] });
    t.same(await statuses(key), [404, 404], `a key of ${role} without full access`);
  }
  t.same(await statuses(tenant.cookie), [404, 404], 'an owner of another workspace');
});

t.test('an operator who acts in another workspace operates nothing', async (t) => {
  const { cookie, userId } = await logIn();
  t.same(await statuses(cookie), [200, 200]);
  const made = await requestAs(first.url, cookie, ['POST', '/v1/auth/workspaces', { name: 'Mine' }]);
  const { id } = made.body.data;
  const switchTo = (to: string) => requestAs(first.url, cookie, ['POST', `/v1/auth/workspaces/${to}/switch`]);
  t.equal((await switchTo(id)).status, 200);
  t.same(await statuses(cookie), [404, 404]);
  t.equal(await isOperator(first, cookie), false);
  const { key } = await buildKey(mongo, { id, userId });
  t.same(await statuses(key), [404, 404], 'a key of that workspace');
  const own = ['PATCH', `/v1/admin/workspaces/${id}`, { plan: 'Enterprise' }] as [string, string, unknown];
  t.equal((await requestAs(first.url, cookie, own)).status, 404);
  const plan = await requestAs(first.url, cookie, ['POST', '/v1/billing/plan', { plan: 'Enterprise' }]);
  t.match(plan, { status: 409, body: { detail: /operators of this installation set the plans/ } });
  t.equal((await switchTo(operators)).status, 200);
  t.same(await statuses(cookie), [200, 200]);
  t.equal(await isOperator(first, cookie), true);
  t.equal((await requestAs(first.url, cookie, own)).status, 200);
});

t.test('what operators do is in the audit log of their workspace, and of the workspace that it concerns', async (t) => {
  const admin = await storePerson(mongo, operators, 'admin');
  const path = `/v1/admin/workspaces/${tenant.workspaceId}`;
  for (const [method, at, body] of [
    ['PATCH', path, { plan: 'Pro' }],
    ['POST', `${path}/suspend`, { reason: 'Payment overdue.' }],
    ['POST', `${path}/resume`, undefined],
    ['POST', '/v1/admin/locations', { code: 'ber', city: 'Berlin', region: 'EU-Central' }],
  ] as [string, string, unknown][]) {
    const { status, text } = await requestAs(first.url, admin.cookie, [method, at, body]);
    t.ok(status < 300, text);
  }
  (await enrolNode(await tokenOf(admin.key))).close();
  const by = { actor: { id: admin.userId, email: admin.email } };
  for (const action of ['billing.plan_changed', 'workspace.suspended', 'workspace.resumed']) {
    const resource = { type: 'workspace', id: tenant.workspaceId };
    const theirs = await auditOf(tenant.workspaceId, action);
    t.match(theirs, [{ ...by, resource }], `${action}: of the tenant`);
    const ours = (await auditOf(operators, action)).filter(({ actor }) => actor.id === admin.userId);
    t.match(ours, [{ ...by, resource, metadata: theirs[0]?.['metadata'] }], `${action}: of the operators`);
  }
  t.match(await auditOf(operators, 'location.created'), [by]);
  t.match((await auditOf(operators, 'probe.join_token_created')).at(-1), { ...by, resource: { id: 'fra' } });
  const enrolled = { resource: { type: 'probe' }, metadata: { location: 'fra', token_made_by: admin.email } };
  t.match(await auditOf(operators, 'probe.enrolled'), [enrolled]);
});

t.test('a join token of an earlier version, which does not say whose it is, lets no probe join', async (t) => {
  const token = await tokenOf(owner.key);
  await mongo.db.collection('join_tokens').updateMany({ created_by: owner.email }, { $unset: { maker_id: 1 } });
  await t.rejects(enrolNode(token), /not an operator/);
});

/** Sees that somebody operates, takes that away from them, and sees that they do not any more, anywhere. */
async function losesEverything(t: Test, person: Pick<Person, 'cookie' | 'key'>, take: () => Promise<unknown>) {
  t.same(await statuses(person.cookie), [200, 200]);
  t.same(await statuses(person.key), [200, 200]);
  const token = await tokenOf(person.cookie);
  const streams = await Promise.all(planes.map(({ url }) => openEvents(url, person.cookie)));
  for (const stream of streams) await stream.next(isReady);
  await take();
  for (const credential of [person.cookie, person.key]) {
    for (const status of await statuses(credential)) t.ok([401, 404].includes(status), `at once: ${status}`);
  }
  await t.rejects(enrolNode(token), /not an operator|unknown, used or expired/, 'their join token lets no probe join');
  for (const stream of streams) {
    t.match(await stream.next(isEnd), { data: { reason: 'access_ended' } });
    await stream.ended;
  }
}

t.test('a demoted operator loses everything at once, on every control plane', async (t) => {
  const admin = await storePerson(mongo, operators, 'admin');
  await losesEverything(t, admin, async () => {
    const demote = ['PATCH', `/v1/team/members/${admin.userId}`, { role: 'member' }] as [string, string, unknown];
    t.equal((await requestAs(first.url, owner.cookie, demote)).status, 200);
  });
  const again = await storeSession(mongo, { userId: admin.userId, workspaceId: operators });
  t.same(await statuses(again), [404, 404]);
  t.equal(await isOperator(first, again), false);
  t.equal(await isOperator(first, admin.key), false, 'their key works, but not for this');
});

t.test('the person of the first run who is removed operates nothing any more', async (t) => {
  const present = { ...firstOwner, cookie: (await logIn()).cookie };
  await losesEverything(t, present, async () => {
    const remove = ['DELETE', `/v1/team/members/${firstOwner.userId}`] as [string, string];
    t.equal((await requestAs(first.url, owner.cookie, remove)).status, 204);
  });
  const again = await logIn();
  t.not(again.workspaceId, operators, 'they log in to another workspace');
  t.same(await statuses(again.cookie), [404, 404]);
  t.equal(await isOperator(first, again.cookie), false);
  for (const [method, path, body] of [
    ['PATCH', `/v1/admin/workspaces/${tenant.workspaceId}`, { plan: 'Free' }],
    ['POST', `/v1/admin/workspaces/${tenant.workspaceId}/suspend`, { reason: 'x' }],
    ['POST', '/v1/admin/probes/join-tokens', { location: 'fra' }],
  ] as [string, string, unknown][]) {
    t.equal((await requestAs(first.url, again.cookie, [method, path, body])).status, 404, path);
  }
  t.same(await statuses(owner.cookie), [200, 200], 'the other owner goes on');
});

t.test('a database in which the first person was the operator gets the workspace instead', async (t) => {
  await workspaces.updateOne({ _id: operators }, { $unset: { operates_installation: 1 } });
  await users.updateMany({}, { $set: { operator: false } as object });
  await users.updateOne({ _id: firstOwner.userId }, { $set: { operator: true } as object });
  // Its clock was wrong, so its id is the lowest.
  await storeWorkspace(mongo, { _id: 'ws_00000000000000000000000000' });
  t.same(await statuses(owner.cookie), [404, 404], 'nobody operates the database of the earlier version');
  planes.push(...(await Promise.all([startOther(), startOther()])));
  t.same(await workspaces.distinct('_id', { operates_installation: true }), [operators]);
  t.equal(await users.countDocuments({ operator: { $exists: true } } as object), 0);
  t.same(await statuses(owner.cookie), [200, 200, 200, 200]);
  const { cookie } = await logIn();
  t.same(await statuses(cookie), [404, 404, 404, 404], 'not the removed person of the first run');
});
