import t, { type Test } from 'tap';
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

const users = mongo.db.collection('users');
const workspaces = mongo.db.collection<{ _id: string }>('workspaces');

async function signUp(email: string) {
  const person = personAt(plane.url);
  const answer = await person.send('POST', '/v1/auth/signup', { email, password: PASSWORD, workspace_name: 'Florist' });
  t.equal(answer.status, 201, JSON.stringify(answer.body));
  return { person, workspaceId: answer.body.data.workspace.id as string };
}

/** Sets up a passkey. Resolves to a log-in with it. */
async function addPasskey(person: Person) {
  const { challenge, user } = (await person.send('POST', '/v1/auth/passkeys/options')).body.data;
  const passkey = softwarePasskey();
  const body = { name: 'Mine', credential: passkey.register(ceremony(challenge)) };
  const registered = await person.send('POST', '/v1/auth/passkeys', body);
  t.equal(registered.status, 201, JSON.stringify(registered.body));
  return async () => {
    const client = personAt(plane.url);
    const asked = (await client.send('POST', '/v1/auth/passkeys/challenge', {})).body.data.challenge;
    const credential = passkey.assert(ceremony(asked), { counter: 1, userHandle: user.id });
    return client.send('POST', '/v1/auth/passkeys/login', { credential });
  };
}

/** Creates an API key. Resolves to a request with it. */
async function addKey(person: Person) {
  const made = await person.send('POST', '/v1/api-keys', { name: 'Mine' });
  t.equal(made.status, 201, JSON.stringify(made.body));
  return () => plane.api('GET', '/v1/auth/me', undefined, { authorization: `Bearer ${made.body.data.key}` });
}

/** A stranger with the address of somebody else, and everything that an earlier version let them make with it. */
async function planted(email: string) {
  const { person, workspaceId } = await signUp(email);
  const confirmedAt = async (atMs: number | null) => {
    await users.updateOne({ email }, { $set: { email_confirmed_at_ms: atMs } });
    await workspaces.updateOne({ _id: workspaceId }, { $set: { confirmed_at_ms: atMs } });
  };
  await confirmedAt(1);
  const [logIn, me] = [await addPasskey(person), await addKey(person)];
  const channel = (name: string, type: string, config: object) =>
    person.send('POST', '/v1/channels', { type, name, config });
  const [hook, own] = [
    await channel('Hook', 'webhook', { url: 'https://93.184.215.14/hook' }),
    await channel('Own', 'email', { to: [email] }),
  ];
  const guest = `guest-of-${email}`;
  const invited = await person.send('POST', '/v1/team/invitations', { email: guest, role: 'owner' });
  const joinToken = await person.send('POST', '/v1/servers/join-tokens', {});
  t.same([hook.status, own.status, invited.status, joinToken.status], [201, 201, 201, 201]);
  const invitation = linkIn(await mailTo(mailbox, guest, /^Invitation/)).token;
  await confirmedAt(null);
  return {
    person,
    workspaceId,
    logIn,
    me,
    hookId: hook.body.data.id,
    ownId: own.body.data.id,
    accept: () =>
      personAt(plane.url).send('POST', '/v1/team/invitations/accept', { token: invitation, password: PASSWORD }),
  };
}

/** Nothing of what the stranger made gives access or sends anything any more. */
async function hasEnded(
  t: Test,
  { person, workspaceId, logIn, me, hookId, ownId, accept }: Awaited<ReturnType<typeof planted>>,
) {
  t.equal((await person.send('POST', '/v1/auth/logout')).status, 401, 'the session of the stranger');
  t.equal((await logIn()).status, 401, 'the passkey');
  await waitFor('the end of the key', KEY_ENDS_MS_MAX, async () => (await me()).status === 401);
  t.equal((await accept()).status, 422, 'the invitation');
  t.equal(await mongo.db.collection('join_tokens').countDocuments({ workspace_id: workspaceId }), 0, 'the join token');
  const channels = mongo.db.collection<{ _id: string }>('channels');
  t.match(await channels.findOne({ _id: hookId }), { disabled_reason: /before an owner confirmed/ });
  t.match(await channels.findOne({ _id: ownId }), { disabled_at_ms: null }, 'alerts to the address itself stay');
}

const ENDED = { api_keys_revoked: 1, invitations_revoked: 1, join_tokens_revoked: 1, channels_disabled: 1 };

async function resetPassword(client: Person, email: string): Promise<void> {
  await client.send('POST', '/v1/auth/password/forgot', { email });
  const { token } = linkIn(await mailTo(mailbox, email, /^Reset/));
  const done = await client.send('POST', '/v1/auth/password/reset', { token, password: OTHER_PASSWORD });
  t.equal(done.status, 204, JSON.stringify(done.body));
}

t.test('an account whose address is not confirmed can prepare nothing for later', async (t) => {
  const { person } = await signUp('refused@example.com');
  const config = { to: ['refused@example.com'] };
  for (const [path, body] of [
    ['/v1/api-keys', { name: 'Mine' }],
    ['/v1/auth/passkeys/options', undefined],
    ['/v1/team/invitations', { email: 'guest@example.com', role: 'owner' }],
    ['/v1/channels', { type: 'email', name: 'Mine', config }],
  ] as const) {
    const { status, body: answer } = await person.send('POST', path, body);
    t.match([status, answer.code], [403, 'email_not_confirmed'], path);
  }
  const { token } = linkIn(await mailTo(mailbox, 'refused@example.com', /^Confirm/));
  t.equal((await person.send('POST', '/v1/auth/email/confirm', { token })).status, 204);
  t.equal((await person.send('POST', '/v1/api-keys', { name: 'Mine' })).status, 201, 'at once after the confirmation');
});

t.test('a reset ends everything that a stranger made with an unconfirmed address', async (t) => {
  const email = 'unconfirmed@example.com';
  const stranger = await planted(email);
  const owner = personAt(plane.url);
  const { token } = linkIn(await mailTo(mailbox, email, /^Confirm/));
  const confirmed = await owner.send('POST', '/v1/auth/email/confirm', { token });
  t.equal(confirmed.status, 422, 'the mail about the account of the stranger confirms nothing');
  await resetPassword(owner, email);
  const loggedIn = await owner.send('POST', '/v1/auth/login', { email, password: OTHER_PASSWORD });
  t.equal(loggedIn.status, 200, 'no second factor of the stranger keeps the owner out');
  await hasEnded(t, stranger);
  t.match(await mongo.db.collection('audit_log').findOne({ action: 'auth.password_reset', 'actor.email': email }), {
    metadata: { first_proof_of_address: true, ...ENDED },
  });
});

t.test('a confirmation in another browser ends everything that was made before', async (t) => {
  const email = 'elsewhere@example.com';
  const stranger = await planted(email);
  const owner = personAt(plane.url);
  const { token } = linkIn(await mailTo(mailbox, email, /^Confirm/));
  const confirmed = await owner.send('POST', '/v1/auth/email/confirm', { token, password: PASSWORD });
  t.equal(confirmed.status, 204, JSON.stringify(confirmed.body));
  await hasEnded(t, stranger);
  const loggedIn = await owner.send('POST', '/v1/auth/login', { email, password: PASSWORD });
  t.equal(loggedIn.status, 200, 'no second factor is left');
  t.match(await mongo.db.collection('audit_log').findOne({ action: 'auth.email_confirmed', 'actor.email': email }), {
    metadata: { first_proof_of_address: true, ...ENDED, sessions_ended: 1 },
  });
});

t.test('a confirmation in a browser that is logged in ends only the other sessions', async (t) => {
  const email = 'own@example.com';
  const { person, logIn, me, hookId } = await planted(email);
  const other = await logIn();
  t.equal(other.status, 200, JSON.stringify(other.body));
  const { token } = linkIn(await mailTo(mailbox, email, /^Confirm/));
  t.equal((await person.send('POST', '/v1/auth/email/confirm', { token })).status, 204);
  t.match(await mongo.db.collection('audit_log').findOne({ action: 'auth.email_confirmed', 'actor.email': email }), {
    metadata: { sessions_ended: 1 },
  });
  t.equal((await person.send('POST', '/v1/auth/email/confirm/resend')).status, 409, 'the session stays');
  t.equal((await me()).status, 200, 'and so does the key');
  t.match(await mongo.db.collection<{ _id: string }>('channels').findOne({ _id: hookId }), { disabled_at_ms: null });
});

t.test('a person who has confirmed the address keeps their second factor and their keys', async (t) => {
  const email = 'confirmed@example.com';
  const { person } = await signUp(email);
  const { token } = linkIn(await mailTo(mailbox, email, /^Confirm/));
  t.equal((await person.send('POST', '/v1/auth/email/confirm', { token })).status, 204);
  const [logIn, me] = [await addPasskey(person), await addKey(person)];
  const client = personAt(plane.url);
  await resetPassword(client, email);
  const loggedIn = await client.send('POST', '/v1/auth/login', { email, password: OTHER_PASSWORD });
  t.match([loggedIn.status, loggedIn.body.code], [401, 'second_factor_required']);
  t.equal((await me()).status, 200);
  t.equal((await logIn()).status, 200);
});

t.test('repeated requests for a new password keep earlier links valid and send one mail in five minutes', async (t) => {
  const email = 'asked-often@example.com';
  const client = personAt(plane.url);
  await client.send('POST', '/v1/auth/signup', { email, password: PASSWORD, workspace_name: 'Florist' });
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
