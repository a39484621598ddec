import t from 'tap';
import type { AssertionCredential } from '../../../control-plane/second-factor/passkeys/schema.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildWorkspace } from '../../helpers/factories.js';
import { auditActions, userOf } from '../../helpers/second-factor/accounts.js';
import { ORIGIN, people, RP_ID, startSecondFactorApp } from '../../helpers/second-factor/app.js';
import { softwarePasskey } from '../../helpers/second-factor/software-passkey.js';

interface Registered {
  id: string;
  recovery_codes: string[] | null;
}

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

const clock = testClock(Date.now());
const everybody = people(clock);
/** Two control planes with the same key and the same database. */
const app = await startSecondFactorApp(mongo, everybody, { clock });
const other = await startSecondFactorApp(mongo, everybody, { clock });
t.teardown(() => Promise.all([app.close(), other.close()]));

type Session = ReturnType<typeof everybody.open>;

const at = (challenge: string, change: { origin?: string; rpId?: string } = {}) => ({
  ...{ challenge, origin: ORIGIN, rpId: RP_ID },
  ...change,
});

async function optionsOf(me: Session) {
  const options = await app.request<{ challenge: string; user: { id: string } }>(
    'POST',
    '/v1/auth/passkeys/options',
    me,
  );
  return options.body.data;
}

async function signInChallenge(plane = app): Promise<string> {
  const answer = await plane.request<{ challenge: string }>('POST', '/v1/auth/passkeys/challenge', { key: null });
  return answer.body.data.challenge;
}

function register(me: Session, credential: object, name = 'Laptop') {
  return app.request<Registered>('POST', '/v1/auth/passkeys', { ...me, body: { name, credential } });
}

/** A person with a passkey, in a session that has proved it. */
async function withPasskey() {
  const workspace = await buildWorkspace(mongo);
  const me = everybody.open(workspace);
  const passkey = softwarePasskey();
  const { challenge, user } = await optionsOf(me);
  const registered = await register(me, passkey.register(at(challenge)));
  return { workspace, me, passkey, handle: user.id, registered, user: await userOf(mongo, workspace) };
}

const FROM = { ip: '192.0.2.7', userAgent: null };

type PasskeyOwner = Awaited<ReturnType<typeof withPasskey>>;

const logIn = (credential: AssertionCredential, plane = app, headers: Record<string, string> = {}) =>
  plane.request('POST', '/v1/auth/passkeys/login', { key: null, headers, body: { credential } });

function verify(user: PasskeyOwner['user'], passkey: AssertionCredential, plane = app) {
  return plane.parts.runTransaction((tx) => plane.factors.check.verify(tx, user, { passkey }, FROM));
}

t.test('a passkey is added, listed, renamed, used to log in without a password, and removed', async (t) => {
  const { workspace, me, passkey, handle, registered, user } = await withPasskey();
  const id = registered.body.data.id;
  t.equal(registered.status, 201);
  t.equal(registered.headers.get('location'), `/v1/auth/passkeys/${id}`);
  t.equal(registered.body.data.recovery_codes?.length, 10, 'the first second factor comes with recovery codes');
  t.match(await auditActions(mongo, workspace), [
    { action: 'auth.mfa_enabled', metadata: { method: 'passkey', passkey: { id, name: 'Laptop' } } },
  ]);
  t.match(everybody.mails.at(-1), {
    to: workspace.email,
    heading: 'Passkey added',
    facts: [{ label: 'Passkey', value: 'Laptop' }],
  });
  t.strictSame(await app.factors.check.factorsOf(user), ['passkey', 'recovery_code']);

  const renamed = await app.request('PATCH', `/v1/auth/passkeys/${id}`, { ...me, body: { name: 'Key ring' } });
  t.match(renamed, { status: 200, body: { data: { id, name: 'Key ring', last_used_at: null } } });
  t.match((await auditActions(mongo, workspace)).at(-1), {
    action: 'auth.passkey_renamed',
    metadata: { changes: { name: { from: 'Laptop', to: 'Key ring' } } },
  });
  const stale = { ...me, headers: { ...me.headers, 'if-match': '"1"' }, body: { name: 'Other' } };
  t.equal((await app.request('PATCH', `/v1/auth/passkeys/${id}`, stale)).status, 412);

  const loggedIn = await logIn(passkey.assert(at(await signInChallenge()), { counter: 1, userHandle: handle }), other);
  t.match(loggedIn, { status: 200, body: { data: { id: workspace.userId, email: workspace.email, api_key: null } } });
  t.match(loggedIn.headers.get('set-cookie'), /^__Host-picket_session=token;/);
  t.equal(everybody.signedIn.at(-1), `${workspace.userId} passkey true`, 'it counts as both factors');
  const list = await app.request<{ name: string; last_used_at: string }[]>('GET', '/v1/auth/passkeys', me);
  t.match(list.body, { data: [{ id, name: 'Key ring', last_used_at: /Z$/ }], next_cursor: null });
  t.match(await app.request('GET', `/v1/auth/passkeys/${id}`, me), { status: 200, body: { data: { id } } });

  t.equal((await app.request('DELETE', `/v1/auth/passkeys/${id}`, me)).status, 204);
  t.equal((await app.request('GET', `/v1/auth/passkeys/${id}`, me)).status, 404);
  t.match((await auditActions(mongo, workspace)).at(-1), {
    action: 'auth.mfa_disabled',
    metadata: { method: 'passkey' },
  });
  t.strictSame(await app.factors.check.factorsOf(user), []);
  const gone = passkey.assert(at(await signInChallenge()), { counter: 2, userHandle: handle });
  t.match(await logIn(gone), { status: 401, body: { code: 'unauthenticated' } });
});

t.test('the options of a registration demand a resident key for this installation', async (t) => {
  const { me, passkey, handle, workspace } = await withPasskey();
  t.match(await optionsOf(me), {
    rp: { id: RP_ID, name: 'Picket' },
    user: { id: handle, name: workspace.email },
    attestation: 'none',
    timeout: 300_000,
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
    excludeCredentials: [{ id: passkey.id }],
  });
  t.equal(Buffer.from(handle, 'base64url').toString(), workspace.userId);
  const [login, second] = await Promise.all(
    [{}, { for: 'second_factor' }].map((body) =>
      app.request('POST', '/v1/auth/passkeys/challenge', { key: null, body }),
    ),
  );
  t.match(login?.body.data, { rpId: RP_ID, userVerification: 'required' });
  t.match(second?.body.data, { rpId: RP_ID, userVerification: 'preferred' });
});

t.test('a registration is refused for another session, origin or host, when expired, and when replayed', async (t) => {
  const workspace = await buildWorkspace(mongo);
  const [me, elsewhere] = [everybody.open(workspace), everybody.open(workspace)];
  const { challenge } = await optionsOf(me);
  const passkey = softwarePasskey();
  const refused = async (why: string, session: Session, credential: object) =>
    t.match(await register(session, credential), { status: 422, body: { errors: [{ path: '/credential' }] } }, why);
  await refused('another session', elsewhere, passkey.register(at(challenge)));
  await refused('another origin', me, passkey.register(at(challenge, { origin: 'https://evil.example.com' })));
  await refused('another host', me, passkey.register(at(challenge, { rpId: 'example.com' })));
  await refused('a challenge of somebody else', me, passkey.register(at('AAAA')));
  await refused('a challenge for logging in', me, passkey.register(at(await signInChallenge())));
  const good = passkey.register(at(challenge));
  await refused('an id that is not the attested one', me, { ...good, id: 'AAAA', rawId: 'AAAA' });
  await refused('an assertion', me, { ...good, response: { ...good.response, attestationObject: 'o2NmbXQ' } });
  await clock.advance(299_000);
  t.equal((await register(me, good)).status, 201, 'good within five minutes');
  await refused('a replay', me, softwarePasskey().register(at(challenge)));
  const late = (await optionsOf(me)).challenge;
  await clock.advance(300_000);
  await refused('expired', me, softwarePasskey().register(at(late)));
});

t.test(
  'an attestation with certificates is refused, because the library would download from addresses in it',
  async (t) => {
    const me = everybody.open(await buildWorkspace(mongo));
    for (const [fmt, attStmt] of [
      [
        'packed',
        [
          ['alg', -7],
          ['sig', new Uint8Array(8)],
          ['x5c', [new Uint8Array(64)]],
        ],
      ],
      ['apple', [['x5c', [new Uint8Array(64)]]]],
      ['tpm', []],
      [
        'fido-u2f',
        [
          ['x5c', [new Uint8Array(64)]],
          ['sig', new Uint8Array(8)],
        ],
      ],
      [
        'android-safetynet',
        [
          ['ver', '1'],
          ['response', new Uint8Array(8)],
        ],
      ],
    ] as const) {
      const attestation = { fmt, attStmt: new Map(attStmt as never) } as never;
      const credential = softwarePasskey().register(at((await optionsOf(me)).challenge), { attestation });
      t.equal((await register(me, credential)).status, 422, fmt);
    }
  },
);

t.test('a passkey that is registered already, by whomever, is refused', async (t) => {
  const { me, passkey } = await withPasskey();
  t.equal((await register(me, passkey.register(at((await optionsOf(me)).challenge)))).status, 409);
  const stranger = everybody.open(await buildWorkspace(mongo));
  t.equal((await register(stranger, passkey.register(at((await optionsOf(stranger)).challenge)))).status, 409);
});

t.test('a person has at most twenty passkeys, also when two are added at once', async (t) => {
  const { me } = await withPasskey();
  for (let count = 1; count < 19; count++) {
    const added = await register(me, softwarePasskey().register(at((await optionsOf(me)).challenge)));
    t.match(added, { status: 201, body: { data: { recovery_codes: null } } });
  }
  const ready = await Promise.all(
    [1, 2, 3].map(async () => softwarePasskey().register(at((await optionsOf(me)).challenge))),
  );
  const statuses = (await Promise.all(ready.map((credential) => register(me, credential)))).map(({ status }) => status);
  t.strictSame(statuses.sort(), [201, 409, 409]);
  t.equal((await app.request('POST', '/v1/auth/passkeys/options', me)).status, 409);
  t.match((await app.request('GET', '/v1/auth/mfa', me)).body.data, { passkeys: 20 });
});

t.test('an assertion works once, also when two control planes get it at once', async (t) => {
  const { passkey, handle, user } = await withPasskey();
  const first = passkey.assert(at(await signInChallenge()), { counter: 0, userHandle: handle });
  const statuses = (await Promise.all([app, other, app, other].map((plane) => logIn(first, plane)))).map(
    ({ status }) => status,
  );
  t.strictSame(statuses.sort(), [200, 401, 401, 401], 'an authenticator that does not count');
  t.equal((await logIn(first)).status, 401, 'later');
  t.equal(await verify(user, first), 'wrong', 'as a second factor');
  const second = passkey.assert(at(await signInChallenge()), { counter: 0 });
  t.strictSame((await Promise.all([verify(user, second), verify(user, second, other)])).sort(), ['right', 'wrong']);
});

t.test('an assertion for another origin or host, a wrong signature and an old challenge are refused', async (t) => {
  const { passkey, handle, user } = await withPasskey();
  const options = { counter: 0, userHandle: handle };
  const cases: [string, (challenge: string) => AssertionCredential][] = [
    ['another origin', (it) => passkey.assert(at(it, { origin: 'https://evil.example.com' }), options)],
    ['another port', (it) => passkey.assert(at(it, { origin: `${ORIGIN}:8443` }), options)],
    ['another host', (it) => passkey.assert(at(it, { rpId: 'example.com' }), options)],
    ['a challenge that Picket did not make', () => passkey.assert(at('A'.repeat(51)), options)],
    ['no user verification', (it) => passkey.assert(at(it), { ...options, userVerified: false })],
    ['no user handle', (it) => passkey.assert(at(it), { counter: 0 })],
    ['the user handle of somebody else', (it) => passkey.assert(at(it), { counter: 0, userHandle: 'AAAA' })],
    ['another key', (it) => ({ ...softwarePasskey().assert(at(it), options), id: passkey.id, rawId: passkey.id })],
    ['an unknown passkey', (it) => softwarePasskey().assert(at(it), options)],
  ];
  for (const [why, make] of cases) {
    const answer = await logIn(make(await signInChallenge()));
    t.match(answer, { status: 401, body: { detail: 'The passkey is unknown, or its answer is not valid.' } }, why);
  }
  t.ok(everybody.failures.includes(user._id), 'failures of a known passkey are recorded');
  const old = passkey.assert(at(await signInChallenge()), options);
  await clock.advance(300_000);
  t.equal((await logIn(old)).status, 401, 'five minutes old');
  const weak = { counter: 0, userVerified: false };
  t.equal(await verify(user, passkey.assert(at(await signInChallenge()), weak)), 'right', 'as a second factor it may');
});

t.test('a passkey whose counter did not grow is refused, because somebody has a copy', async (t) => {
  const { passkey, user } = await withPasskey();
  const outcome = async (counter: number) => verify(user, passkey.assert(at(await signInChallenge()), { counter }));
  t.equal(await outcome(5), 'right');
  for (const counter of [5, 4, 0]) t.equal(await outcome(counter), 'wrong', `${counter} after 5`);
  t.equal(await outcome(6), 'right');
});

t.test('the passkey of somebody else is no second factor', async (t) => {
  const [mine, theirs] = [await withPasskey(), await withPasskey()];
  const challenge = at(await signInChallenge());
  t.equal(await verify(mine.user, theirs.passkey.assert(challenge, { counter: 1 })), 'wrong');
  t.equal(await verify(theirs.user, theirs.passkey.assert(challenge, { counter: 1 })), 'right', 'it was not used up');
  for (const method of ['GET', 'DELETE', 'PATCH'] as const) {
    const path = `/v1/auth/passkeys/${theirs.registered.body.data.id}`;
    const body = method === 'PATCH' ? { body: { name: 'Mine' } } : {};
    t.equal((await app.request(method, path, { ...mine.me, ...body })).status, 404, method);
  }
});

t.test('a page of another site cannot log somebody in', async (t) => {
  const { passkey, handle } = await withPasskey();
  const credential = passkey.assert(at(await signInChallenge()), { counter: 0, userHandle: handle });
  const foreign = await logIn(credential, app, { origin: 'https://evil.example.com' });
  t.match(foreign, { status: 403, body: { code: 'forbidden' } });
  t.equal((await logIn(credential, app, { origin: ORIGIN })).status, 200);
});

t.test('the last passkey cannot be removed while a workspace requires a second factor', async (t) => {
  const { workspace, me, registered } = await withPasskey();
  await mongo.db
    .collection<{ _id: string }>('workspaces')
    .updateOne({ _id: workspace.id }, { $set: { requires_second_factor: true } });
  const path = `/v1/auth/passkeys/${registered.body.data.id}`;
  t.match(await app.request('DELETE', path, me), { status: 409, body: { detail: /requires a second factor/ } });
  await register(me, softwarePasskey().register(at((await optionsOf(me)).challenge)), 'Spare');
  t.equal((await app.request('DELETE', path, me)).status, 204, 'another one is left');
});

t.test('an installation whose public URL browsers offer no passkeys for says so', async (t) => {
  const plain = await startSecondFactorApp(mongo, everybody, { clock, publicUrl: 'http://127.0.0.1:8080' });
  t.teardown(() => plain.close());
  const me = everybody.open(await buildWorkspace(mongo));
  const refused = { status: 409, body: { detail: /Passkeys are not available here: the public URL/ } };
  t.match(await plain.request('POST', '/v1/auth/passkeys/challenge', { key: null }), refused);
  t.match(await plain.request('POST', '/v1/auth/passkeys/options', me), refused);
  t.equal((await plain.request('GET', '/v1/auth/mfa', me)).status, 200);
});

t.test('everything of a person can be forgotten', async (t) => {
  const { passkey, user, handle } = await withPasskey();
  await app.parts.runTransaction((tx) => app.factors.forget(tx, user._id));
  t.strictSame(await app.factors.summary(user._id), { totp: false, passkeys: 0, recoveryCodes: 0 });
  const credential = passkey.assert(at(await signInChallenge()), { counter: 0, userHandle: handle });
  t.equal((await logIn(credential)).status, 401);
});
