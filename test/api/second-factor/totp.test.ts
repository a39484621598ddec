import { Secret, TOTP } from 'otpauth';
import t from 'tap';
import { createSecondFactorsStore } from '../../../control-plane/second-factor/store.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildWorkspace } from '../../helpers/factories.js';
import { auditActions, userOf } from '../../helpers/second-factor/accounts.js';
import { people, type SecondFactorApp, startSecondFactorApp } from '../../helpers/second-factor/app.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

const STEP_MS = 30_000;
const clock = testClock(Math.floor(Date.now() / STEP_MS) * STEP_MS + 1_000);
const everybody = people(clock);
const options = { clock, databaseTime: async () => clock.now() };
/** Two control planes with the same key and the same database. */
const app = await startSecondFactorApp(mongo, everybody, options);
const other = await startSecondFactorApp(mongo, everybody, options);
t.teardown(() => Promise.all([app.close(), other.close()]));

function codeAt(secret: string, steps = 0): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: clock.now() + steps * STEP_MS });
}

const FROM = { ip: '192.0.2.7', userAgent: 'curl/8.5.0' };

/** A person with an authenticator app, in a session that has proved it. */
async function withTotp() {
  const workspace = await buildWorkspace(mongo);
  const me = everybody.open(workspace);
  const enrolment = await app.request<{ secret: string }>('POST', '/v1/auth/mfa/totp', me);
  const { secret } = enrolment.body.data;
  const verified = await app.request<{ recovery_codes: string[] }>('POST', '/v1/auth/mfa/totp/verify', {
    ...me,
    body: { totp: codeAt(secret) },
  });
  const user = await userOf(mongo, workspace);
  return { workspace, me, secret, user, codes: verified.body.data.recovery_codes };
}

function verify({ factors, parts }: SecondFactorApp, user: Awaited<ReturnType<typeof userOf>>, given: object) {
  return parts.runTransaction((tx) => factors.check.verify(tx, user, given, FROM));
}

t.test(
  'an authenticator app is set up with a secret, a URL and a QR code, and works once it is verified',
  async (t) => {
    const workspace = await buildWorkspace(mongo);
    const [me, elsewhere] = [everybody.open(workspace), everybody.open(workspace)];
    const user = await userOf(mongo, workspace);
    const none = { totp: null, passkeys: 0, recovery_codes_left: 0, required_by: [] };
    t.strictSame((await app.request('GET', '/v1/auth/mfa', me)).body.data, none);
    const enrolment = await app.request<Record<string, string>>('POST', '/v1/auth/mfa/totp', me);
    t.equal(enrolment.status, 200);
    const { secret = '', otpauth_url = '', qr_svg = '' } = enrolment.body.data;
    t.match(secret, /^[A-Z2-7]{32}$/, '160 bits');
    t.equal(new URL(otpauth_url).searchParams.get('secret'), secret);
    t.match(qr_svg, /^<svg /);
    t.strictSame((await app.request('GET', '/v1/auth/mfa', me)).body.data, none, 'nothing works before it is verified');
    t.strictSame(await app.factors.check.factorsOf(user), []);

    const wrong = await app.request('POST', '/v1/auth/mfa/totp/verify', { ...me, body: { totp: codeAt(secret, 5) } });
    t.match(wrong, { status: 422, body: { errors: [{ path: '/totp' }] } });
    const right = await other.request<{ recovery_codes: string[] }>('POST', '/v1/auth/mfa/totp/verify', {
      ...me,
      body: { totp: codeAt(secret) },
    });
    t.equal(right.status, 200);
    t.equal(new Set(right.body.data.recovery_codes).size, 10);
    t.match((await app.request('GET', '/v1/auth/mfa', me)).body.data, {
      totp: { enabled_at: /Z$/ },
      recovery_codes_left: 10,
    });
    t.strictSame(await app.factors.check.factorsOf(user), ['totp', 'recovery_code']);
    t.equal((await app.request('GET', '/v1/auth/mfa', elsewhere)).status, 401, 'the first factor ends other sessions');
    t.equal(everybody.sessions.get(me.session)?.session.secondFactor, true, 'and this session has proved it');
    t.match(await auditActions(mongo, workspace), [{ action: 'auth.mfa_enabled', metadata: { method: 'totp' } }]);
    t.match(everybody.mails.at(-1), { to: workspace.email, kind: 'second_factor_changed' });
    t.equal(await verify(app, user, { totp: codeAt(secret) }), 'wrong', 'the code of the enrolment does not log in');
    t.equal(await verify(app, user, { totp: codeAt(secret, 1) }), 'right');
  },
);

t.test('nothing of the secret or the codes is stored in plain text or recorded', async (t) => {
  const { workspace, secret, codes } = await withTotp();
  const stored = JSON.stringify([
    await createSecondFactorsStore(mongo.db).find(workspace.userId),
    await auditActions(mongo, workspace),
    everybody.mails,
  ]);
  for (const text of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))]) {
    t.notOk(stored.includes(text), text);
  }
});

t.test('an enrolment that nobody verifies expires after 15 minutes; a new one replaces it', async (t) => {
  const me = everybody.open(await buildWorkspace(mongo));
  const start = async () => (await app.request<{ secret: string }>('POST', '/v1/auth/mfa/totp', me)).body.data.secret;
  const send = (code: string) => app.request('POST', '/v1/auth/mfa/totp/verify', { ...me, body: { totp: code } });
  t.equal((await send('123456')).status, 409, 'none was started');
  const first = await start();
  const second = await start();
  t.equal((await send(codeAt(first))).status, 422, 'the first secret is replaced');
  await clock.advance(900_000);
  const session = everybody.sessions.get(me.session)?.session;
  if (session !== undefined) session.confirmedAtMs = clock.now();
  t.equal((await send(codeAt(second))).status, 409, 'it expired');
});

t.test('a code works once, also when two control planes get it at once', async (t) => {
  const { user, secret } = await withTotp();
  await clock.advance(STEP_MS);
  for (let round = 0; round < 5; round++) {
    const given = { totp: codeAt(secret) };
    const outcomes = await Promise.all([app, other, app, other].map((plane) => verify(plane, user, given)));
    t.strictSame(outcomes.sort(), ['right', 'wrong', 'wrong', 'wrong']);
    await clock.advance(STEP_MS);
  }
  t.equal(await verify(app, user, { totp: codeAt(secret, 1) }), 'right', 'the clock of the app may be ahead');
  t.equal(await verify(other, user, { totp: codeAt(secret) }), 'wrong', 'an earlier step than an accepted one');
  t.equal(await verify(other, user, { totp: codeAt(secret, 1) }), 'wrong', 'a replay');
});

t.test('a recovery code works once, also when two control planes get it at once', async (t) => {
  const { me, user, codes } = await withTotp();
  const [first = '', second = ''] = codes;
  const outcomes = await Promise.all(
    [app, other, app, other].map((plane) => verify(plane, user, { recovery_code: first })),
  );
  t.strictSame(outcomes.sort(), ['right', 'wrong', 'wrong', 'wrong']);
  t.match(everybody.mails.at(-1), {
    ...{ heading: 'Recovery code used', paragraphs: [/9 are left/] },
    facts: [{ label: 'Time' }, { label: 'Device', value: 'curl' }, { label: 'IP address', value: '192.0.2.7' }],
  });
  t.equal(await verify(app, user, { recovery_code: second.toUpperCase().replaceAll('-', ' ') }), 'right');
  t.match((await app.request('GET', '/v1/auth/mfa', me)).body.data, { recovery_codes_left: 8 });
  const another = await withTotp();
  t.equal(await verify(app, another.user, { recovery_code: codes[2] }), 'wrong', 'of another person');
});

t.test('new recovery codes replace the previous ones', async (t) => {
  const { workspace, me, user, codes } = await withTotp();
  const renewed = await app.request<{ recovery_codes: string[] }>('POST', '/v1/auth/mfa/recovery-codes', me);
  t.equal(renewed.status, 200);
  t.equal(await verify(app, user, { recovery_code: codes[0] }), 'wrong');
  t.equal(await verify(app, user, { recovery_code: renewed.body.data.recovery_codes[0] }), 'right');
  t.match((await auditActions(mongo, workspace)).at(-1), { action: 'auth.recovery_codes_renewed' });
  const without = everybody.open(await buildWorkspace(mongo));
  t.equal((await app.request('POST', '/v1/auth/mfa/recovery-codes', without)).status, 409, 'without a factor');
});

t.test('a check needs exactly one factor, and a person who has it', async (t) => {
  const { user, secret, codes } = await withTotp();
  t.equal(await verify(app, user, {}), 'missing');
  const both = { totp: codeAt(secret, 1), recovery_code: codes[0] };
  await t.rejects(verify(app, user, both), { code: 'validation_failed' });
  const nobody = await userOf(mongo, await buildWorkspace(mongo));
  t.equal(await verify(app, nobody, { totp: '123456' }), 'wrong');
  t.equal(await verify(app, nobody, { recovery_code: codes[0] }), 'wrong');
  await t.rejects(verify(app, user, { passkey: { id: 1 } }), { code: 'validation_failed' });
});

t.test('removing the app needs a right second factor, and ends other sessions and the recovery codes', async (t) => {
  const { workspace, me, user, secret, codes } = await withTotp();
  const elsewhere = everybody.open(workspace, { secondFactor: true });
  const disable = (body: object) => app.request('POST', '/v1/auth/mfa/totp/disable', { ...me, body });
  t.equal((await disable({})).status, 422);
  t.match(await disable({ totp: codeAt(secret, 5) }), { status: 403, body: { code: 'forbidden' } });
  t.equal((await disable({ recovery_code: codes[0] })).status, 204);
  t.strictSame(await app.factors.check.factorsOf(user), []);
  t.equal((await app.request('GET', '/v1/auth/mfa', elsewhere)).status, 401);
  t.match((await auditActions(mongo, workspace)).at(-1), { action: 'auth.mfa_disabled', metadata: { method: 'totp' } });
  t.match(everybody.mails.at(-1), { heading: 'Authenticator app removed' });
  t.match((await app.request('GET', '/v1/auth/mfa', me)).body.data, { totp: null, recovery_codes_left: 0 });
  t.equal(
    everybody.sessions.get(me.session)?.session.secondFactor,
    false,
    'this session has no second factor any more',
  );
  t.equal((await disable({ recovery_code: codes[1] })).status, 403, 'there is no factor any more');
});

t.test('it is refused while a workspace of the person requires a second factor', async (t) => {
  const { workspace, me, user, codes } = await withTotp();
  await mongo.db
    .collection<{ _id: string }>('workspaces')
    .updateOne({ _id: workspace.id }, { $set: { requires_second_factor: true, name: 'Strict Ltd' } });
  const refused = await app.request('POST', '/v1/auth/mfa/totp/disable', { ...me, body: { recovery_code: codes[0] } });
  t.match(refused, { status: 409, body: { code: 'conflict', detail: /"Strict Ltd" requires a second factor/ } });
  t.strictSame(await app.factors.check.factorsOf(user), ['totp', 'recovery_code']);
  t.match((await app.request('GET', '/v1/auth/mfa', me)).body.data, {
    recovery_codes_left: 10,
    required_by: ['Strict Ltd'],
  });
});

t.test('a session without the second factor of the person cannot change second factors', async (t) => {
  const { workspace } = await withTotp();
  const weak = everybody.open(workspace);
  for (const path of ['/v1/auth/mfa/totp', '/v1/auth/mfa/recovery-codes', '/v1/auth/passkeys/options']) {
    const answer = await app.request('POST', path, weak);
    t.match(answer, { status: 403, body: { code: 'confirmation_required', detail: /second factor/ } }, path);
  }
});

t.test('a stale session cannot change anything', async (t) => {
  const stale = everybody.open(await buildWorkspace(mongo), { confirmedAtMs: clock.now() - 600_001 });
  for (const [method, path, body] of [
    ['POST', '/v1/auth/mfa/totp', undefined],
    ['POST', '/v1/auth/mfa/totp/verify', { totp: '123456' }],
    ['POST', '/v1/auth/mfa/totp/disable', { totp: '123456' }],
    ['POST', '/v1/auth/mfa/recovery-codes', undefined],
    ['POST', '/v1/auth/passkeys/options', undefined],
    ['DELETE', '/v1/auth/passkeys/pky_01jjwzmz000000000000000000', undefined],
  ] as const) {
    const answer = await app.request(method, path, { ...stale, ...(body === undefined ? {} : { body }) });
    t.match(answer, { status: 403, body: { code: 'confirmation_required' } }, path);
  }
  t.equal((await app.request('GET', '/v1/auth/mfa', stale)).status, 200, 'reading needs no confirmation');
  t.equal((await app.request('GET', '/v1/auth/mfa')).status, 403, 'an API key is nobody');
});

t.test('ten wrong second factors in fifteen minutes are the most, over all control planes', async (t) => {
  const { me, codes } = await withTotp();
  const disable = (plane: SecondFactorApp, body: object) =>
    plane.request('POST', '/v1/auth/mfa/totp/disable', { ...me, body });
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      disable(index % 2 === 0 ? app : other, { recovery_code: `0000-0000-00${String(index).padStart(2, '0')}` }),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  t.equal(statuses.filter((status) => status === 403).length, 10);
  t.equal(statuses.filter((status) => status === 429).length, 20);
  const limited = await disable(app, { recovery_code: codes[0] });
  t.equal(limited.status, 429, 'also with a right one');
  t.ok(Number(limited.headers.get('retry-after')) > 800);
  const next = await withTotp();
  const fine = await app.request('POST', '/v1/auth/mfa/totp/disable', {
    ...next.me,
    body: { recovery_code: next.codes[0] },
  });
  t.equal(fine.status, 204, 'other people are not affected');
});

t.test('thirty wrong second factors at log-in in an hour are the most, also from many networks at once', async (t) => {
  const { user, codes } = await withTotp();
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      verify(index % 2 === 0 ? app : other, user, { recovery_code: `0000-0000-00${10 + index}` }).catch(
        ({ code }) => code,
      ),
    ),
  );
  t.equal(outcomes.filter((outcome) => outcome === 'wrong').length, 30);
  t.equal(outcomes.filter((outcome) => outcome === 'rate_limited').length, 20);
  await t.rejects(verify(app, user, { recovery_code: codes[0] }), { code: 'rate_limited' }, 'also a right one');
  t.equal(await verify(app, user, {}), 'missing', 'a log-in without one is no guess');

  // The counters use the clock of the database, which no test can move.
  const pass = (ms: number) => {
    const earlier = { $mergeObjects: ['$$this', { at: { $subtract: ['$$this.at', ms] } }] };
    const attempts = { $map: { input: '$attempts', in: earlier } };
    return mongo.db.collection('second_factor_attempts').updateMany({}, [{ $set: { attempts } }]);
  };
  await pass(3_500_000);
  await t.rejects(verify(app, user, { recovery_code: codes[0] }), { code: 'rate_limited' });
  await pass(200_000);
  t.equal(await verify(app, user, { recovery_code: codes[0] }), 'right', 'after an hour');
});

t.test('the paths under /v1/auth/mfa also verify and remove an app', async (t) => {
  const workspace = await buildWorkspace(mongo);
  const me = everybody.open(workspace);
  const { secret } = (await app.request<{ secret: string }>('POST', '/v1/auth/mfa/totp', me)).body.data;
  const verified = await app.request<{ recovery_codes: string[] }>('POST', '/v1/auth/mfa/verify', {
    ...me,
    body: { totp: codeAt(secret) },
  });
  t.equal(verified.status, 200);
  const [code] = verified.body.data.recovery_codes;
  t.equal((await app.request('POST', '/v1/auth/mfa/disable', { ...me, body: { totp: '000000' } })).status, 403);
  t.equal((await app.request('POST', '/v1/auth/mfa/disable', { ...me, body: { recovery_code: code } })).status, 204);
  t.match((await app.request('GET', '/v1/auth/mfa', me)).body.data, { totp: null });
});

t.test('the person gets a mail when a code comes a second time, at most one an hour', async (t) => {
  const { user, secret } = await withTotp();
  await clock.advance(STEP_MS);
  const told = () => everybody.mails.filter(({ to, kind }) => to === user.email && kind === 'code_repeated').length;
  const totp = codeAt(secret);
  t.equal(await verify(app, user, { totp: '000000' }), 'wrong');
  t.equal(await verify(app, user, { totp }), 'right');
  t.equal(told(), 0);
  await Promise.all([verify(app, user, { totp }), verify(other, user, { totp })]);
  t.equal(await verify(app, user, { totp }), 'wrong');
  t.equal(told(), 1, 'three times, at two control planes');
  await clock.advance(3_600_000);
  const later = codeAt(secret);
  t.equal(await verify(app, user, { totp: later }), 'right');
  const rolledBack = app.parts.runTransaction(async (tx) => {
    t.equal(await app.factors.check.verify(tx, user, { totp: later }, FROM), 'wrong');
    throw new Error('refused');
  });
  await t.rejects(rolledBack, /refused/);
  t.equal(told(), 2, 'also when the request is rolled back');
});
