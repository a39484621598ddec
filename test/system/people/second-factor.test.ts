import { Secret, TOTP } from 'otpauth';
import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { auditActions, buildPerson } from '../../helpers/second-factor/accounts.js';
import { cookieClient } from '../../helpers/second-factor/cookie-client.js';
import { waitFor } from '../../helpers/wait.js';

const STEP_MS = 30_000;
const mongo = await testDatabase();
const settings = { PICKET_TRUSTED_PROXIES: '127.0.0.1' };
const first = await startControlPlane(mongo.uri, settings);
const second = await startControlPlane(mongo.uri, { ...settings, PICKET_DATA_DIR: first.dataDir });
t.teardown(async () => {
  await Promise.all([first.stop(), second.stop()]);
  await first.remove();
  await mongo.drop();
});

function codeOf(secret: string, steps = 0): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * STEP_MS });
}

/** A person who has logged in with the password and added an authenticator app in that session. */
async function withTotp(email: string) {
  const { workspace, password } = await buildPerson(mongo, email);
  const client = cookieClient();
  const logIn = { email, password };
  await client.call(first.url, 'POST', '/v1/auth/login', logIn);
  const enrolment = await client.call(first.url, 'POST', '/v1/auth/mfa/totp');
  const { secret } = enrolment.body.data;
  const verified = await client.call(second.url, 'POST', '/v1/auth/mfa/totp/verify', { totp: codeOf(secret) });
  const codes: string[] = verified.body.data.recovery_codes;
  return { workspace, client, logIn, secret, codes };
}

t.test('a log-in needs the second factor, whose code works once at all control planes together', async (t) => {
  const { logIn, secret, codes, workspace } = await withTotp('ann@example.com');
  const send = (plane: { url: string }, factor: object) =>
    cookieClient().call(plane.url, 'POST', '/v1/auth/login', { ...logIn, ...factor });
  t.match(await send(first, {}), {
    status: 401,
    body: { code: 'second_factor_required', second_factors: ['totp', 'recovery_code'] },
  });
  t.match(await send(first, { totp: codeOf(secret, 9) }), { status: 401, body: { code: 'unauthenticated' } });
  const totp = codeOf(secret, 1);
  const answers = await Promise.all([first, second, first, second].map((plane) => send(plane, { totp })));
  t.strictSame(answers.map(({ status }) => status).sort(), [200, 401, 401, 401]);
  const recovery = await Promise.all([first, second].map((plane) => send(plane, { recovery_code: codes[0] })));
  t.strictSame(recovery.map(({ status }) => status).sort(), [200, 401]);
  t.equal((await auditActions(mongo, workspace)).filter(({ action }) => action === 'auth.login').length, 3);
  const failed = await waitFor('the failed log-in on the audit log', 60_000, async () =>
    (await auditActions(mongo, workspace)).find(({ action }) => action === 'auth.login_failed'),
  );
  t.match(failed, { metadata: { reason: 'second_factor' } });
});

t.test('where a workspace requires a second factor, a session without one can only set it up', async (t) => {
  const { workspace, email, password } = await buildPerson(mongo, 'bob@example.com');
  await mongo.db
    .collection<{ _id: string }>('workspaces')
    .updateOne({ _id: workspace.id }, { $set: { requires_second_factor: true } });
  const client = cookieClient();
  const call = (plane: { url: string }, method: string, path: string, body?: unknown) =>
    client.call(plane.url, method, path, body);
  t.equal((await call(first, 'POST', '/v1/auth/login', { email, password })).status, 200);
  for (const plane of [first, second]) {
    for (const [method, path, body] of [
      ['GET', '/v1/monitors', undefined],
      ['GET', '/v1/api-keys', undefined],
      ['POST', '/v1/api-keys', { name: 'Key' }],
      ['GET', '/v1/audit-logs', undefined],
    ] as const) {
      const refused = await call(plane, method, path, body);
      t.match(refused, { status: 403, body: { code: 'second_factor_setup_required' } }, path);
    }
    t.equal((await call(plane, 'GET', '/v1/auth/me')).status, 200);
    t.equal((await call(plane, 'GET', '/v1/auth/sessions')).status, 200);
  }
  const { secret } = (await call(first, 'POST', '/v1/auth/mfa/totp')).body.data;
  t.equal((await call(first, 'POST', '/v1/auth/mfa/totp/verify', { totp: codeOf(secret) })).status, 200);
  for (const plane of [first, second]) {
    t.equal((await call(plane, 'GET', '/v1/monitors')).status, 200, 'the same session works at once, everywhere');
  }
  const disabled = await call(second, 'POST', '/v1/auth/mfa/totp/disable', { totp: codeOf(secret, 1) });
  t.match(disabled, { status: 409, body: { detail: /requires a second factor/ } });
  t.match(await call(first, 'GET', '/v1/auth/mfa'), { body: { data: { required_by: [workspace.name] } } });
});

t.test('adding the first second factor and removing one end the other sessions of the person', async (t) => {
  const { workspace, email, password } = await buildPerson(mongo, 'eve@example.com');
  const [mine, other] = [cookieClient(), cookieClient()];
  for (const client of [mine, other]) await client.call(first.url, 'POST', '/v1/auth/login', { email, password });
  const { secret } = (await mine.call(first.url, 'POST', '/v1/auth/mfa/totp')).body.data;
  const verified = await mine.call(first.url, 'POST', '/v1/auth/mfa/totp/verify', { totp: codeOf(secret) });
  t.equal((await other.call(first.url, 'GET', '/v1/auth/me')).status, 401);
  t.equal((await mine.call(first.url, 'GET', '/v1/auth/me')).status, 200);
  const [code, another] = verified.body.data.recovery_codes;
  await other.call(first.url, 'POST', '/v1/auth/login', { email, password, recovery_code: code });
  t.equal((await other.call(first.url, 'GET', '/v1/auth/me')).status, 200);
  const removed = await mine.call(first.url, 'POST', '/v1/auth/mfa/totp/disable', { recovery_code: another });
  t.equal(removed.status, 204);
  t.equal((await other.call(first.url, 'GET', '/v1/auth/me')).status, 401);
  t.equal((await mine.call(first.url, 'GET', '/v1/auth/me')).status, 200);
  t.equal((await other.call(first.url, 'POST', '/v1/auth/login', { email, password })).status, 200, 'password alone');
  const actions = (await auditActions(mongo, workspace)).map(({ action }) => action);
  for (const action of ['auth.mfa_enabled', 'auth.mfa_disabled'] as const) t.ok(actions.includes(action), action);
});

t.test('ten wrong confirmations lock further ones, from whatever network they come', async (t) => {
  const { client, codes, logIn } = await withTotp('guessed@example.com');
  const confirm = (network: number, body: object) =>
    client.call(network % 2 === 0 ? first.url : second.url, 'POST', '/v1/auth/confirm', body, {
      'x-forwarded-for': `192.0.2.${network}`,
    });
  for (let count = 0; count < 10; count++) {
    const wrong = count % 2 === 0 ? { recovery_code: `0000-0000-000${count}` } : { password: 'a wrong password' };
    t.equal((await confirm(count, wrong)).status, 403, `wrong ${count + 1}`);
  }
  const locked = await confirm(100, { recovery_code: codes[0] });
  t.match(locked, { status: 429, body: { code: 'rate_limited' } });
  t.ok(Number(locked.headers.get('retry-after')) > 600);
  const elsewhere = await cookieClient().call(
    ...([first.url, 'POST', '/v1/auth/login', { ...logIn, recovery_code: codes[0] }] as const),
    { 'x-forwarded-for': '192.0.2.101' },
  );
  t.equal(elsewhere.status, 200, 'the person can still log in');
});
