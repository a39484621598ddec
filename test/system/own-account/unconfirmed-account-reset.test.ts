import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { startMailbox } from '../../helpers/machine/mailbox.js';
import { linkIn, mailTo } from '../../helpers/people/mail.js';
import { type Person, personAt } from '../../helpers/people/person.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { softwarePasskey } from '../../helpers/second-factor/software-passkey.js';
import { waitFor } from '../../helpers/wait.js';

const PUBLIC_URL = 'https://picket.test';
const PASSWORD = 'correct horse battery staple';
const OTHER_PASSWORD = 'seven purple lamps on a shelf';
const KEY_ENDS_MS_MAX = 60_000;
const PAUSE_MS = 300_000;

const mongo = await testDatabase();
const mailbox = await startMailbox();
const plane = await startControlPlane(mongo.uri, { PICKET_SMTP_URL: mailbox.url, PICKET_PUBLIC_URL: PUBLIC_URL });
t.teardown(async () => {
  await plane.remove();
  await mailbox.close();
  await mongo.drop();
});

const ceremony = (challenge: string) => ({ challenge, origin: PUBLIC_URL, rpId: 'picket.test' });

/** Signs up, and sets up a passkey and an API key. */
async function signUp(email: string) {
  const person = personAt(plane.url);
  await person.send('POST', '/v1/auth/signup', { email, password: PASSWORD, workspace_name: 'Florist' });
  const { challenge, user } = (await person.send('POST', '/v1/auth/passkeys/options')).body.data;
  const passkey = softwarePasskey();
  const body = { name: 'Mine', credential: passkey.register(ceremony(challenge)) };
  const registered = await person.send('POST', '/v1/auth/passkeys', body);
  const key = await person.send('POST', '/v1/api-keys', { name: 'Mine' });
  t.same([registered.status, key.status], [201, 201]);
  const logIn = async () => {
    const client = personAt(plane.url);
    const asked = (await client.send('POST', '/v1/auth/passkeys/challenge', {})).body.data.challenge;
    const credential = passkey.assert(ceremony(asked), { counter: 1, userHandle: user.id });
    return client.send('POST', '/v1/auth/passkeys/login', { credential });
  };
  const me = () => plane.api('GET', '/v1/auth/me', undefined, { authorization: `Bearer ${key.body.data.key}` });
  return { person, logIn, me };
}

async function resetPassword(client: Person, email: string): Promise<void> {
  await client.send('POST', '/v1/auth/password/forgot', { email });
  const { token } = linkIn(await mailTo(mailbox, email, /^Reset/));
  const done = await client.send('POST', '/v1/auth/password/reset', { token, password: OTHER_PASSWORD });
  t.equal(done.status, 204, JSON.stringify(done.body));
}

t.test(
  'a reset of an unconfirmed account ends the access of the stranger who signed up with the address',
  async (t) => {
    const email = 'unconfirmed@example.com';
    const stranger = await signUp(email);
    const owner = personAt(plane.url);
    const { token } = linkIn(await mailTo(mailbox, email, /^Confirm/));
    const confirmed = await owner.send('POST', '/v1/auth/email/confirm', { token });
    t.equal(confirmed.status, 422, 'the mail about the account of the stranger confirms nothing');
    await resetPassword(owner, email);
    const loggedIn = await owner.send('POST', '/v1/auth/login', { email, password: OTHER_PASSWORD });
    t.equal(loggedIn.status, 200, 'no second factor of the stranger keeps the owner out');
    t.equal((await stranger.logIn()).status, 401, 'the passkey of the stranger is gone');
    await waitFor('the end of the key', KEY_ENDS_MS_MAX, async () => (await stranger.me()).status === 401);
    t.match(await mongo.db.collection('audit_log').findOne({ action: 'auth.password_reset', 'actor.email': email }), {
      metadata: { first_proof_of_address: true, api_keys_revoked: 1 },
    });
  },
);

t.test('a person who has confirmed the address keeps their second factor and their keys', async (t) => {
  const email = 'confirmed@example.com';
  const person = await signUp(email);
  const { token } = linkIn(await mailTo(mailbox, email, /^Confirm/));
  t.equal((await person.person.send('POST', '/v1/auth/email/confirm', { token })).status, 204);
  const client = personAt(plane.url);
  await resetPassword(client, email);
  const loggedIn = await client.send('POST', '/v1/auth/login', { email, password: OTHER_PASSWORD });
  t.match([loggedIn.status, loggedIn.body.code], [401, 'second_factor_required']);
  t.equal((await person.me()).status, 200);
  t.equal((await person.logIn()).status, 200);
});

t.test('repeated requests for a new password keep earlier links valid and send one mail in five minutes', async (t) => {
  const email = 'asked-often@example.com';
  const client = personAt(plane.url);
  await client.send('POST', '/v1/auth/signup', { email, password: PASSWORD, workspace_name: 'Florist' });
  const users = mongo.db.collection('users');
  const forgot = () => client.send('POST', '/v1/auth/password/forgot', { email });
  const links = () => mongo.db.collection('mails').countDocuments({ to: email, kind: 'password_reset' });
  const passes = (ms: number) => users.updateOne({ email }, { $inc: { reset_requested_at_ms: -ms } });
  await forgot();
  const first = linkIn(await mailTo(mailbox, email, /^Reset/)).token;
  // Half of it is left, which a slow machine does not need for the next request.
  await passes(PAUSE_MS / 2);
  await forgot();
  t.equal(await links(), 1, 'at most one mail in five minutes');
  await passes(PAUSE_MS / 2);
  await forgot();
  t.equal(await links(), 2);
  const second = await waitFor('the second link', KEY_ENDS_MS_MAX, async () => {
    const { token } = linkIn(await mailTo(mailbox, email, /^Reset/));
    return token === first ? undefined : token;
  });
  const reset = async (token: string) =>
    (await client.send('POST', '/v1/auth/password/reset', { token, password: OTHER_PASSWORD })).status;
  t.equal(await reset(first), 204, 'the first link works still');
  t.equal(await reset(second), 422, 'one of them ends the others');
});
