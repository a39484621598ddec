import { Secret, TOTP } from 'otpauth';
import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { requestAs, storePerson, storeWorkspace } from '../../helpers/team/people.js';

const mongo = await testDatabase();
const { url, remove } = await startControlPlane(mongo.uri);
t.teardown(async () => {
  await remove();
  await mongo.drop();
});

t.test('a person sees whether the address is confirmed and what second factors they have', async (t) => {
  const workspaceId = await storeWorkspace(mongo);
  const fresh = await storePerson(mongo, workspaceId, 'owner', { user: { email_confirmed_at_ms: null } });
  const me = async (credential: string) => (await requestAs(url, credential, ['GET', '/v1/auth/me'])).body.data;
  const none = { totp: false, passkeys: 0, recovery_codes_left: 0 };
  t.equal((await me(fresh.cookie)).sends_email, false, 'this installation has no mail server');
  t.match(await me(fresh.cookie), { id: fresh.userId, email_confirmed: false, second_factor: none, api_key: null });

  const early = await storePerson(mongo, workspaceId, 'member');
  t.match(await me(early.cookie), { email_confirmed: true }, 'accounts of earlier versions count as confirmed');
  const { secret } = (await requestAs(url, early.cookie, ['POST', '/v1/auth/mfa/totp'])).body.data;
  const totp = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  t.equal((await requestAs(url, early.cookie, ['POST', '/v1/auth/mfa/totp/verify', { totp }])).status, 200);
  t.same((await me(early.cookie)).second_factor, { totp: true, passkeys: 0, recovery_codes_left: 10 });

  const ofKey = await me(early.key);
  t.match(ofKey, { email_confirmed: null, second_factor: null, api_key: { name: 'test' } });
  t.notMatch(JSON.stringify(await me(early.cookie)), secret);
});

t.test('a person sees that the account will be deleted, so that they can take it back', async (t) => {
  const workspaceId = await storeWorkspace(mongo);
  await storePerson(mongo, workspaceId, 'owner');
  const leaving = await storePerson(mongo, workspaceId, 'member');
  const send = (method: string, path: string) => requestAs(url, leaving.cookie, [method, path]);
  t.equal((await send('GET', '/v1/auth/me')).body.data.deleted_at, null);
  const { deleted_at } = (await send('POST', '/v1/auth/me/delete')).body.data;
  t.match(deleted_at, /Z$/);
  t.equal((await send('GET', '/v1/auth/me')).body.data.deleted_at, deleted_at);
  t.equal((await requestAs(url, leaving.key, ['GET', '/v1/auth/me'])).body.data.deleted_at, null, 'not for a key');
  t.equal((await send('POST', '/v1/auth/me/restore')).status, 204);
  t.equal((await send('GET', '/v1/auth/me')).body.data.deleted_at, null);
});
