import t, { type Test } from 'tap';
import type { MembershipDocument, UserDocument } from '../../../control-plane/accounts/documents.js';
import { membershipId } from '../../../control-plane/accounts/memberships-store.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey } from '../../helpers/factories.js';
import { atHost } from '../../helpers/http/at-host.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { browser } from '../../helpers/single-sign-on/browser.js';
import { startOidcProvider } from '../../helpers/single-sign-on/provider.js';
import { accountOf, CALLBACK, PUBLIC_URL } from '../../helpers/single-sign-on/setup.js';
import { INVITATIONS, newAddress, PASSWORD } from '../../helpers/team/invitations.js';
import { type Person, requestAs, storePerson, storeWorkspace } from '../../helpers/team/people.js';
import { waitFor } from '../../helpers/wait.js';

// Without a mail server, as where links of invitations are handed over.
const mongo = await testDatabase();
const provider = await startOidcProvider({ redirectUri: CALLBACK });
const settings = {
  ...{ PICKET_PUBLIC_URL: PUBLIC_URL, PICKET_AUTH_HEADER: 'Remote-Email', PICKET_TRUSTED_PROXIES: '127.0.0.1' },
  ...{ PICKET_OIDC_ISSUER: provider.issuer, PICKET_OIDC_CLIENT_ID: provider.clientId },
  PICKET_OIDC_CLIENT_SECRET: provider.clientSecret,
};
const confirming = await startControlPlane(mongo.uri, settings);
const assuming = await startControlPlane(mongo.uri, {
  ...{ ...settings, PICKET_DATA_DIR: confirming.dataDir, PICKET_CONFIRM_EMAIL: '0' },
});
t.teardown(async () => {
  await Promise.all([assuming.stop(), confirming.stop()]);
  await confirming.remove();
  await provider.close();
  await mongo.drop();
});

const users = mongo.db.collection<UserDocument>('users');
const memberships = mongo.db.collection<MembershipDocument>('memberships');
const admin = await storePerson(mongo, await storeWorkspace(mongo), 'admin');
type Plane = typeof confirming;

function cookieOf({ headers }: { headers: Headers }): string {
  return headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

/** An account that somebody else created with the address, and every way into it. */
interface PreMade {
  plane: Plane;
  email: string;
  userId: string;
  workspaceId: string;
  cookie: string;
  key: string;
}

async function preMade(t: Test, plane: Plane, create: (email: string) => Promise<{ headers: Headers }>) {
  const email = newAddress();
  const cookie = cookieOf(await create(email));
  const as = (...request: [method: string, path: string, body?: unknown]) => requestAs(plane.url, cookie, request);
  const me = (await as('GET', '/v1/auth/me')).body.data;
  const userId = me.id;
  // As earlier versions let them make one.
  const { key } = await buildKey(mongo, { id: me.workspace.id, userId });
  await mongo.db.collection<{ _id: string }>('second_factors').insertOne({ _id: userId });
  await mongo.db.collection<{ user_id: string }>('passkeys').insertOne({ user_id: userId });
  const deletion = { requested_at_ms: 1, by: userId, at_ms: Date.now() + 604_800_000 };
  await users.updateOne({ _id: userId }, { $set: { deletion } });
  const toOther = await as('POST', '/v1/auth/email', { email: newAddress(), password: PASSWORD });
  t.equal(toOther.status, 202, toOther.text);
  t.not(await mongo.db.collection('one_time_tokens').countDocuments({ user_id: userId }), 0);
  return { plane, email, userId, workspaceId: me.workspace.id, cookie, key };
}

const handed = (t: Test, plane: Plane) =>
  preMade(t, plane, async (email) => {
    const made = await requestAs(plane.url, admin.cookie, ['POST', INVITATIONS, { email, role: 'admin' }]);
    const token = made.body.data.accept_url.replace(/^.*#token=/, '');
    return requestAs(plane.url, null, ['POST', `${INVITATIONS}/accept`, { token, password: PASSWORD }]);
  });

const signedUp = (t: Test, plane: Plane) =>
  preMade(t, plane, (email) =>
    requestAs(plane.url, null, ['POST', '/v1/auth/signup', { email, password: PASSWORD, workspace_name: 'Theirs' }]),
  );

/** Asks as the person whom the proxy names. They must use the public URL. */
const asNamed = ({ url }: Plane, email: string) =>
  atHost(new URL(PUBLIC_URL).host, `${url}/v1/auth/me`, { headers: { 'remote-email': email } });

/** The account as the person has it for whom the proxy vouches. */
async function byHeader({ plane, email }: PreMade) {
  const { status, body } = await asNamed(plane, email);
  return { status, data: body.data };
}

async function byProvider({ plane, email }: PreMade) {
  provider.signInAs(accountOf(email));
  const visitor = browser();
  const started = await visitor.open(`${plane.url}/v1/auth/sso/start`);
  const address = await visitor.until(started.headers.get('location') ?? '', CALLBACK);
  await visitor.open(address.replace(PUBLIC_URL, plane.url));
  const { status, text } = await visitor.open(`${plane.url}/v1/auth/me`);
  return { status, data: JSON.parse(text).data };
}

async function isTheOwners(t: Test, { plane, email, userId, cookie, key, workspaceId }: PreMade, method: string) {
  const as = (credential: string | null, path = '/v1/auth/me') => requestAs(plane.url, credential, ['GET', path]);
  // Other control planes notice within five seconds.
  await waitFor('the end of the session', 60_000, async () => (await as(cookie)).status === 401);
  await waitFor('the end of the key', 60_000, async () => (await as(key)).status === 401);
  const logIn = await requestAs(plane.url, null, ['POST', '/v1/auth/login', { email, password: PASSWORD }]);
  t.equal(logIn.status, 401);
  const user = await users.findOne({ _id: userId });
  t.match(user, { password_hash: null, email_confirmed_at_ms: Number });
  t.notOk(user?.email_assumed);
  t.equal(user?.deletion, null, 'the owner did not ask for the end of the account');
  for (const [name, field] of [
    ['second_factors', '_id'],
    ['passkeys', 'user_id'],
    ['one_time_tokens', 'user_id'],
  ] as const) {
    t.equal(await mongo.db.collection(name).countDocuments({ [field]: userId } as object), 0, name);
  }
  const entries = { action: 'auth.email_confirmed', 'actor.id': userId };
  t.match(await mongo.db.collection('audit_log').find(entries).toArray(), [
    {
      workspace_id: workspaceId,
      metadata: { method, first_proof_of_address: true, api_keys_revoked: 1, deletion_cancelled: true },
    },
  ]);
}

const CASES = [
  ['a link of an invitation that was handed over', handed, confirming],
  ['a link that was handed over where addresses are not confirmed', handed, assuming],
  ['sign-up where addresses are not confirmed', signedUp, assuming],
  ['sign-up with an address that was not confirmed', signedUp, confirming],
] as const;

for (const [what, create, plane] of CASES) {
  t.test(`the proxy gives an account of ${what} to the owner of the address`, async (t) => {
    const account = await create(t, plane);
    t.match(await byHeader(account), {
      ...{ status: 200, data: { id: account.userId, email: account.email, email_confirmed: true } },
    });
    await isTheOwners(t, account, 'header');
    const { key } = await buildKey(mongo, { id: account.workspaceId, userId: account.userId });
    t.equal((await byHeader(account)).status, 200);
    t.equal((await requestAs(plane.url, key, ['GET', '/v1/auth/me'])).status, 200, 'only the first time');
  });
}

t.test('the proxy opens the workspace of a new person, not that of whoever signed up', async (t) => {
  const account = await signedUp(t, confirming);
  const { data } = await byHeader(account);
  const first = (await mongo.db.collection('workspaces').findOne({}, { sort: { _id: 1 } }))?._id;
  t.not(first, account.workspaceId);
  t.match(data, { workspace: { id: first } });
  t.equal((await byHeader(account)).data.workspace.id, first, 'also the next time');
  t.match(await memberships.find({ user_id: account.userId }).sort({ created_at_ms: 1 }).toArray(), [
    { workspace_id: account.workspaceId, role: 'owner' },
    { workspace_id: first, role: 'viewer' },
  ]);
  const joined = { action: 'team.member_joined', 'resource.id': account.userId, workspace_id: first } as object;
  t.match(await mongo.db.collection('audit_log').findOne(joined), { metadata: { role: 'viewer', method: 'header' } });
});

t.test('the provider of the installation does, too', async (t) => {
  for (const [, create, plane] of CASES.slice(1, 3)) {
    const account = await create(t, plane);
    t.match(await byProvider(account), { status: 200, data: { id: account.userId, email_confirmed: true } });
    await isTheOwners(t, account, 'single_sign_on');
  }
});

t.test('an account whose owner proved the address keeps everything', async (t) => {
  const deletion = { requested_at_ms: 1, by: 'usr_theirs', at_ms: Date.now() + 604_800_000 };
  const person: Person = await storePerson(mongo, admin.workspaceId, 'member', {
    user: { email: newAddress(), password_hash: 'theirs', email_confirmed_at_ms: 1, deletion },
  });
  const account = { ...person, plane: assuming };
  t.equal((await byHeader(account)).data.id, person.userId);
  t.equal((await byProvider(account)).data.id, person.userId);
  t.match(await users.findOne({ _id: person.userId }), { password_hash: 'theirs', email_confirmed_at_ms: 1, deletion });
  t.equal((await requestAs(assuming.url, person.key, ['GET', '/v1/auth/me'])).status, 200);
});

t.test('where the first workspace is full, the proxy and the provider open one without others', async (t) => {
  const account = await signedUp(t, assuming);
  await storePerson(mongo, account.workspaceId, 'owner');
  const first = (await mongo.db.collection<{ _id: string }>('workspaces').findOne({}, { sort: { _id: 1 } }))?._id ?? '';
  const many = Array.from({ length: 1_000 }, (_, at) => ({
    ...{ _id: membershipId(first, `usr_${at}`), workspace_id: first, user_id: `usr_${at}` },
    ...{ role: 'viewer' as const, created_at_ms: 1 },
  }));
  await memberships.insertMany(many);
  const { status, data } = await byHeader(account);
  t.match([status, data.workspace?.name], [200, 'My workspace'], JSON.stringify(data));
  t.equal((await byHeader(account)).data.workspace.id, data.workspace.id, 'also the next time');
  await isTheOwners(t, account, 'header');
  const switched = { action: 'auth.workspace_switched', 'actor.id': account.userId };
  t.match(await mongo.db.collection('audit_log').find(switched).toArray(), [{ workspace_id: data.workspace.id }]);
  const alone = await signedUp(t, assuming);
  t.equal((await byHeader(alone)).data.workspace.id, alone.workspaceId, 'where nobody else is');
  t.match(await asNamed(assuming, newAddress()), { status: 401 });

  const other = await signedUp(t, assuming);
  await storePerson(mongo, other.workspaceId, 'owner');
  const owned = await byProvider(other);
  t.match([owned.status, owned.data?.workspace?.name], [200, 'My workspace'], 'so does the provider');
  t.equal((await byProvider(other)).data.workspace.id, owned.data.workspace.id, 'also the next time');
  await isTheOwners(t, other, 'single_sign_on');
  provider.signInAs(accountOf(newAddress()));
  const visitor = browser();
  const started = await visitor.open(`${assuming.url}/v1/auth/sso/start`);
  const address = await visitor.until(started.headers.get('location') ?? '', CALLBACK);
  t.equal((await visitor.open(address.replace(PUBLIC_URL, assuming.url))).status, 403, 'a new person has no account');
});
