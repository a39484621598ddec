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
