import t from 'tap';
import { linkIn, mailTo } from '../../helpers/people/mail.js';
import { INVITATIONS, newAddress, PASSWORD, startInvitations } from '../../helpers/team/invitations.js';
import { requestAs, storePerson, storeSession, storeWorkspace } from '../../helpers/team/people.js';
import { waitFor } from '../../helpers/wait.js';

const { mongo, mailbox, url, as, invited, preview, accept, ownerOf, close } = await startInvitations();
t.teardown(close);

/** Returns the header of a session that the identity provider of the workspace opened. */
const providerSession = (userId: string, workspaceId: string) =>
  storeSession(mongo, { userId, workspaceId, method: 'single_sign_on', provider_workspace_id: workspaceId });

const me = (cookie: string) => requestAs(url, cookie, ['GET', '/v1/auth/me']);

t.test('a person who is logged in through the provider of a workspace joins another with their password', async (t) => {
  const [first, second] = [await ownerOf(), await ownerOf()];
  const email = newAddress();
  await accept({ token: (await invited(first, email)).token, password: PASSWORD });
  const user = await mongo.db.collection<{ _id: string; email: string }>('users').findOne({ email });
  const cookie = await providerSession(user?._id ?? '', first.workspaceId);
  const { token } = await invited(second, email, 'viewer');
  const shown = await requestAs(url, cookie, ['POST', `${INVITATIONS}/preview`, { token }]);
  t.match(shown.body.data, { account: 'existing', password: 'enter' });

  const bare = await requestAs(url, cookie, ['POST', `${INVITATIONS}/accept`, { token }]);
  t.match(bare, { status: 422, body: { errors: [{ path: '/password' }] } }, 'the session alone is not enough');
  const memberships = mongo.db.collection<{ user_id: string; workspace_id: string }>('memberships');
  t.equal(await memberships.countDocuments({ user_id: user?._id ?? '', workspace_id: second.workspaceId }), 0);

  const joined = await requestAs(url, cookie, ['POST', `${INVITATIONS}/accept`, { token, password: PASSWORD }]);
  t.match(joined, { status: 200, body: { data: { role: 'viewer', workspace: { id: second.workspaceId } } } });
  const own = joined.headers.get('set-cookie')?.split(';')[0] ?? '';
  t.match((await me(own)).body, { data: { workspace: { id: second.workspaceId } } });
  await waitFor('the end of the session of the provider', 60_000, async () => (await me(cookie)).status === 401);
});

t.test('a person without a password has to set one by e-mail first', async (t) => {
  const email = newAddress();
  const workspaceId = await storeWorkspace(mongo);
  const person = await storePerson(mongo, workspaceId, 'member', { user: { email, password_hash: null } });
  const cookie = await providerSession(person.userId, workspaceId);
  const inviting = await ownerOf();
  const { token } = await invited(inviting, email);
  t.match((await preview(token, { ...person, cookie })).body.data, { password: 'enter' });
  const wrong = await requestAs(url, cookie, ['POST', `${INVITATIONS}/accept`, { token, password: PASSWORD }]);
  t.match(wrong, { status: 401, body: { code: 'unauthenticated' } });
  t.equal((await as(null, 'POST', '/v1/auth/password/forgot', { email })).status, 202);
  const { token: reset } = linkIn(await mailTo(mailbox, email, /password/i));
  t.equal((await as(null, 'POST', '/v1/auth/password/reset', { token: reset, password: PASSWORD })).status, 204);
  const joined = await requestAs(url, cookie, ['POST', `${INVITATIONS}/accept`, { token, password: PASSWORD }]);
  t.match(joined, { status: 200, body: { data: { workspace: { id: inviting.workspaceId } } } });
});
