import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { buildKey, buildSession } from '../../helpers/factories.js';
import { startOwnAccount, type TestPerson } from '../../helpers/own-account/setup.js';

const mongo = await testDatabase();
const app = await startOwnAccount(mongo);
t.teardown(async () => {
  await app.close();
  await mongo.drop();
});

const DAY_MS = 86_400_000;
const deleteAccount = (person: TestPerson) => app.as(person, 'POST', '/v1/auth/me/delete');
const deleteWorkspace = (person: TestPerson, name = person.workspaceName) =>
  app.as(person, 'POST', '/v1/workspace/delete', { name });
const restore = (person: TestPerson) => app.as(person, 'POST', '/v1/workspace/restore');

/** Signs a person in again at the time of the clock, because a fresh confirmation ends after ten minutes. */
async function again(person: TestPerson): Promise<TestPerson> {
  const ids = { id: person.workspaceId, userId: person.userId };
  return { ...person, cookie: (await buildSession(mongo, ids, { nowMs: app.clock.now() })).cookie };
}

t.test('a person cannot delete their account while they are the only owner of a workspace', async (t) => {
  const owner = await app.person();
  t.match(await deleteAccount(owner), { status: 409, body: { detail: /only owner/ } });
  const second = await app.person({ workspaceId: owner.workspaceId, role: 'admin' });
  t.equal((await deleteAccount(owner)).status, 409, 'an admin is no owner');
  await mongo.db
    .collection('memberships')
    .updateOne({ user_id: second.userId, role: 'admin' }, { $set: { role: 'owner' } });
  const asked = await deleteAccount(owner);
  t.equal(asked.status, 202, asked.text);
});

t.test('a deletion of an account can be taken back for seven days, and ends other sessions at once', async (t) => {
  const owner = await app.person();
  const person = await app.person({ workspaceId: owner.workspaceId, role: 'member' });
  // Every person of these tests owns a workspace.
  await mongo.db.collection('memberships').deleteOne({ user_id: person.userId, role: 'owner' });
  const other = await again(person);
  const asked = await deleteAccount(person);
  t.equal(asked.status, 202, asked.text);
  const days = (Date.parse(String(asked.body.data['deleted_at'])) - app.clock.now()) / DAY_MS;
  t.equal(Math.round(days * 1_000) / 1_000, 7);
  t.equal((await app.as(other, 'POST', '/v1/ping')).status, 401);
  t.equal(app.mailsTo(person.email, 'account_deletion').length, 1);
  t.equal((await app.entries('auth.account_deletion_requested', person.userId)).length, 1);
  app.later(6.9 * DAY_MS);
  t.equal((await app.as(await again(person), 'POST', '/v1/auth/me/restore')).status, 204);
  t.equal((await app.entries('auth.account_deletion_cancelled', person.userId)).length, 1);
  t.equal((await deleteAccount(await again(person))).status, 202);
  app.later(7 * DAY_MS);
  t.equal((await app.as(await again(person), 'POST', '/v1/auth/me/restore')).status, 409, 'the time is up');
});

t.test('only the owners get a mail about the deletion of a workspace', async (t) => {
  const first = await app.person();
  const { workspaceId } = first;
  const [second, admin] = [
    await app.person({ workspaceId, role: 'owner' }),
    await app.person({ workspaceId, role: 'admin' }),
  ];
  t.equal((await deleteWorkspace(first, 'Another name')).status, 422);
  const asked = await deleteWorkspace(first);
  t.equal(asked.status, 202, asked.text);
  const told = [first, second, admin].map(({ email }) => app.mailsTo(email, 'workspace_deletion').length);
  t.same(told, [1, 1, 0]);
  t.equal((await app.entries('workspace.deletion_requested', first.userId)).length, 1);
  t.match(await mongo.db.collection<{ _id: string }>('workspaces').findOne({ _id: workspaceId }), {
    terms: { pending: true },
  });
});

t.test('a workspace can be restored until its time is up', async (t) => {
  const owner = await app.person();
  await deleteWorkspace(owner);
  app.later(6.9 * DAY_MS);
  t.equal((await restore(await again(owner))).status, 200);
  t.equal((await app.entries('workspace.restored', owner.userId)).length, 1);
  await deleteWorkspace(await again(owner));
  app.later(7 * DAY_MS);
  t.match(await restore(await again(owner)), { status: 409, body: { detail: /is being deleted/ } });
});

t.test('the workspace of the operators cannot be deleted', async (t) => {
  const { id: workspaceId, name, userId, email } = app.workspace;
  const { cookie } = await buildSession(mongo, { id: workspaceId, userId }, { nowMs: app.clock.now() });
  const operator = { userId, email, workspaceId, workspaceName: name, cookie };
  t.match(await deleteWorkspace(operator), { status: 409, body: { detail: /operators/ } });
});

t.test('changed settings are audited, and only somebody with a second factor can require one', async (t) => {
  const owner = await app.person();
  const patch = (body: unknown) => app.as(owner, 'PATCH', '/v1/workspace', body);
  t.equal((await patch({ requires_second_factor: true })).status, 409);
  t.equal((await patch({ name: 'Renamed' })).status, 200);
  const entries = await app.entries('workspace.updated', owner.userId);
  t.match(entries, [{ metadata: { changes: { name: { from: owner.workspaceName, to: 'Renamed' } } } }]);
});

t.test('whether everybody needs a second factor is changed by an owner in a session, never by a key', async (t) => {
  const owner = await app.person();
  const { workspaceId: id } = owner;
  const admin = await app.person({ workspaceId: id, role: 'admin' });
  const workspaces = mongo.db.collection<{ _id: string }>('workspaces');
  await workspaces.updateOne({ _id: id }, { $set: { requires_second_factor: true } });
  const off = { requires_second_factor: false };
  const strong = async ({ userId }: { userId: string }) => {
    const ofPerson = { second_factor: true, nowMs: app.clock.now() };
    return buildSession(mongo, { id, userId }, ofPerson);
  };
  for (const { userId } of [owner, admin]) {
    const { key } = await buildKey(mongo, { id, userId });
    const patch = (body: unknown) => app.request('PATCH', '/v1/workspace', { key, body });
    t.match(await patch({ ...off, name: 'Both' }), { status: 403, body: { detail: /not an API key/ } }, 'a key');
    t.equal((await patch({ requires_second_factor: true, name: `Of ${userId}` })).status, 200, 'as it is, with a name');
  }
  const refused = await app.as(await strong(admin), 'PATCH', '/v1/workspace', off);
  t.match(refused, { status: 403, body: { required_roles: ['owner'] } }, 'an admin');
  t.match(await workspaces.findOne({ _id: id }), { requires_second_factor: true });
  t.equal((await app.as(await strong(owner), 'PATCH', '/v1/workspace', off)).status, 200, 'an owner');
});
