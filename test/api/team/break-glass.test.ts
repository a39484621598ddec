import t from 'tap';
import type { WorkspaceDocument } from '../../../control-plane/accounts/documents.js';
import { newAddress, PASSWORD, startInvitations } from '../../helpers/team/invitations.js';
import { requestAs, storePerson } from '../../helpers/team/people.js';

const { mongo, url, invited, accept, ownerOf, close } = await startInvitations();
t.teardown(close);

const workspaces = mongo.db.collection<WorkspaceDocument>('workspaces');

t.test('the break-glass owner stays an owner while single sign-on is enforced', async (t) => {
  const other = await ownerOf();
  const { workspaceId } = other;
  const email = newAddress();
  const joined = await accept({ token: (await invited(other, email, 'owner')).token, password: PASSWORD });
  const cookie = joined.headers.get('set-cookie')?.split(';')[0] ?? '';
  const userId = joined.body.data.id;
  const path = `/v1/team/members/${userId}`;
  const require = (enforced: boolean) =>
    workspaces.updateOne({ _id: workspaceId }, { $set: { single_sign_on: { enforced, break_glass_user_id: userId } } });
  // The sessions of a key's creator would need the provider; keys keep working.
  const attempts = {
    'a change of the role': () => requestAs(url, other.key, ['PATCH', path, { role: 'admin' }]),
    'a removal by another owner': () => requestAs(url, other.key, ['DELETE', path]),
    'an own change of the role': () => requestAs(url, cookie, ['PATCH', path, { role: 'viewer' }]),
    leaving: () => requestAs(url, cookie, ['DELETE', path]),
    'deleting the account': () => requestAs(url, cookie, ['POST', '/v1/auth/me/delete']),
  };
  await require(true);
  for (const [what, attempt] of Object.entries(attempts)) {
    const answer = await attempt();
    t.match(answer, { status: 409, body: { code: 'conflict' } }, what);
    t.match(answer.body.detail, /break_glass_user_id .*\(PUT \/v1\/single-sign-on\)/, what);
  }
  await workspaces.updateOne({ _id: workspaceId }, { $set: { plan: 'Pro' } });
  t.equal((await attempts.leaving()).status, 409, 'the requirement returns with the plan');
  await workspaces.updateOne({ _id: workspaceId }, { $set: { plan: 'Enterprise' } });

  const third = await storePerson(mongo, workspaceId, 'owner');
  t.equal(
    (await requestAs(url, other.key, ['DELETE', `/v1/team/members/${third.userId}`])).status,
    204,
    'other owners',
  );
  await require(false);
  t.equal((await attempts['a change of the role']()).status, 200, 'once it is not enforced');
});
