import t from 'tap';
import { newAddress, startInvitations } from '../../helpers/team/invitations.js';
import { type Person, storePerson, storeWorkspace } from '../../helpers/team/people.js';

const { mongo, as, invited, preview, accept, ownerOf, close } = await startInvitations();
t.teardown(close);

const REFUSED = { status: 409, body: { code: 'conflict', detail: /at most 5 workspaces on the Free plan/ } };

/** A person who owns as many workspaces on the Free plan. */
async function freeOwner(workspaces: number): Promise<Person> {
  const email = newAddress();
  const user = { email, email_confirmed_at_ms: Date.now() };
  const first = await storePerson(mongo, await storeWorkspace(mongo, { plan: 'Free' }), 'owner', { user });
  for (let index = 1; index < workspaces; index++)
    await storePerson(mongo, await storeWorkspace(mongo, { plan: 'Free' }), 'owner', { existing: first });
  return first;
}

const ownedBy = ({ userId }: Person) =>
  mongo.db.collection('memberships').countDocuments({ user_id: userId, role: 'owner' });

t.test('an invitation does not make somebody the owner of a sixth Free workspace', async (t) => {
  const person = await freeOwner(5);
  const free = await ownerOf({ plan: 'Free' });
  const { token } = await invited(free, person.email, 'owner');
  t.match(await accept({ token }, person), REFUSED);
  t.equal((await preview(token, person)).status, 200, 'it stays open');
  t.equal(await ownedBy(person), 5);
  const left = { user_id: person.userId, workspace_id: person.workspaceId };
  await mongo.db.collection('memberships').updateOne(left, { $set: { role: 'admin' } });
  t.equal((await accept({ token }, person)).status, 200, 'and can be accepted once there is room');

  const other = await freeOwner(5);
  const paying = await invited(await ownerOf({ plan: 'Pro' }), other.email, 'owner');
  t.equal((await accept({ token: paying.token }, other)).status, 200, 'workspaces of other plans do not count');
  const admin = await invited(await ownerOf({ plan: 'Free' }), other.email, 'admin');
  t.equal((await accept({ token: admin.token }, other)).status, 200, 'nor do other roles');
});

t.test('of invitations that are accepted at once, those beyond five are refused', async (t) => {
  const person = await freeOwner(3);
  const tokens: string[] = [];
  for (let index = 0; index < 6; index++)
    tokens.push((await invited(await ownerOf({ plan: 'Free' }), person.email, 'owner')).token);
  const answers = await Promise.all(
    tokens.map(async (token) => {
      // A transaction that others overtook too often is refused with 503, and a client sends it again.
      for (;;) {
        const { status } = await accept({ token }, person);
        if (status !== 503) return status;
      }
    }),
  );
  t.equal(await ownedBy(person), 5, answers.join());
  t.ok(
    answers.every((status) => [200, 409].includes(status)),
    answers.join(),
  );
});

t.test('nor does a change of role', async (t) => {
  const person = await freeOwner(5);
  const free = await ownerOf({ plan: 'Free' });
  await storePerson(mongo, free.workspaceId, 'admin', { existing: person });
  const path = `/v1/team/members/${person.userId}`;
  t.match(await as(free, 'PATCH', path, { role: 'owner' }), REFUSED);
  t.equal(await ownedBy(person), 5);
  t.equal((await as(free, 'PATCH', path, { role: 'member' })).status, 200);
  const pro = await ownerOf({ plan: 'Pro' });
  await storePerson(mongo, pro.workspaceId, 'admin', { existing: person });
  t.equal((await as(pro, 'PATCH', path, { role: 'owner' })).status, 200);
});
