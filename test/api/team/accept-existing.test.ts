import { Secret, TOTP } from 'otpauth';
import t from 'tap';
import type { UserDocument, WorkspaceDocument } from '../../../control-plane/accounts/documents.js';
import { INVITATIONS, newAddress, PASSWORD, startInvitations } from '../../helpers/team/invitations.js';
import { requestAs, storePerson, storeSession, storeWorkspace } from '../../helpers/team/people.js';
import { waitFor } from '../../helpers/wait.js';

const { mongo, url, as, invited, preview, accept, ownerOf, close } = await startInvitations();
t.teardown(close);

t.test('a person with an account gives its password, or is logged in with the address', async (t) => {
  const [first, second, third] = [await ownerOf(), await ownerOf(), await ownerOf()];
  const email = newAddress();
  await accept({ token: (await invited(first, email)).token, password: PASSWORD });
  const { token } = await invited(second, email, 'viewer');
  t.match((await preview(token)).body.data, { account: 'existing', password: 'enter' });
  t.match(await accept({ token }), { status: 422, body: { errors: [{ path: '/password' }] } });
  t.match(await accept({ token, password: `${PASSWORD}!` }), { status: 401, body: { code: 'unauthenticated' } });
  const stranger = await ownerOf();
  t.equal((await accept({ token }, stranger)).status, 422, 'a session with another address is nothing');
  const joined = await accept({ token, password: PASSWORD });
  t.match(joined, { status: 200, body: { data: { role: 'viewer', workspace: { id: second.workspaceId } } } });

  const cookie = joined.headers.get('set-cookie')?.split(';')[0] ?? '';
  const again = await invited(third, email, 'admin');
  t.equal(
    (await requestAs(url, cookie, ['POST', `${INVITATIONS}/preview`, { token: again.token }])).body.data.password,
    'none',
  );
  const moved = await requestAs(url, cookie, ['POST', `${INVITATIONS}/accept`, { token: again.token }]);
  t.match(moved, { status: 200, body: { data: { role: 'admin', workspace: { id: third.workspaceId } } } });
  await waitFor('the session in the new workspace', 60_000, async () => {
    const me = await requestAs(url, cookie, ['GET', '/v1/auth/me']);
    return me.body.data?.workspace.id === third.workspaceId;
  });
  t.match(await as(third, 'POST', INVITATIONS, { email, role: 'viewer' }), { status: 409, body: { code: 'conflict' } });
});

t.test('wrong passwords lock the account for this address, as they do at log-in', async (t) => {
  const email = newAddress();
  await accept({ token: (await invited(await ownerOf(), email)).token, password: PASSWORD });
  const { token } = await invited(await ownerOf(), email);
  for (let attempt = 0; attempt < 10; attempt++) {
    t.equal((await accept({ token, password: 'not the password at all' })).status, 401);
  }
  const locked = await accept({ token, password: PASSWORD });
  t.match(locked, { status: 429, body: { code: 'rate_limited' } });
  t.ok(Number(locked.headers.get('retry-after')) > 0);
  t.equal((await as(null, 'POST', '/v1/auth/login', { email, password: PASSWORD })).status, 429);
});

t.test('a person with a second factor proves it too', async (t) => {
  const owner = await ownerOf();
  const email = newAddress();
  const first = await accept({ token: (await invited(owner, email)).token, password: PASSWORD });
  const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
  const { secret } = (await requestAs(url, cookie, ['POST', '/v1/auth/mfa/totp'])).body.data;
  const totp = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const enabled = await requestAs(url, cookie, ['POST', '/v1/auth/mfa/totp/verify', { totp }]);
  t.equal(enabled.status, 200, enabled.text);
  const { recovery_codes } = enabled.body.data;
  const members = (await as(owner, 'GET', '/v1/team/members')).body.data;
  t.same(
    members.map((member: { email: string; second_factor: boolean }) => [member.email, member.second_factor]).sort(),
    [
      [email, true],
      [owner.email, false],
    ].sort(),
  );

  const { token } = await invited(await ownerOf(), email);
  const missing = await accept({ token, password: PASSWORD });
  t.match(missing, { status: 401, body: { code: 'second_factor_required' } });
  t.ok(missing.body.second_factors.includes('totp'));
  t.match(await accept({ token, password: PASSWORD, recovery_code: 'not-a-recovery-code' }), { status: 401 });
  t.equal((await preview(token)).status, 200, 'the invitation is still open');
  const joined = await accept({ token, password: PASSWORD, recovery_code: recovery_codes[0] });
  t.equal(joined.status, 200, joined.text);
  const again = await invited(await ownerOf(), email);
  t.match(await accept({ token: again.token, password: PASSWORD, recovery_code: recovery_codes[0] }), { status: 401 });
});

t.test(
  'an account whose address was not confirmed is confirmed by the invitation, with its own workspace',
  async (t) => {
    const { userId, workspaceId, email } = await storePerson(
      mongo,
      await storeWorkspace(mongo, { confirmed_at_ms: null }),
      'owner',
      {
        user: { email_confirmed_at_ms: null },
      },
    );
    const cookie = await storeSession(mongo, { userId, workspaceId });
    const { token } = await invited(await ownerOf(), email);
    t.equal((await requestAs(url, cookie, ['POST', `${INVITATIONS}/accept`, { token }])).status, 200);
    const user = await mongo.db.collection<UserDocument>('users').findOne({ _id: userId });
    t.type(user?.email_confirmed_at_ms, 'number');
    const workspace = await mongo.db.collection<WorkspaceDocument>('workspaces').findOne({ _id: workspaceId });
    t.type(workspace?.confirmed_at_ms, 'number');
  },
);
