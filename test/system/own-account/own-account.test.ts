import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { startMailbox } from '../../helpers/machine/mailbox.js';
import { linkIn, mailTo } from '../../helpers/people/mail.js';
import { personAt } from '../../helpers/people/person.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
const mailbox = await startMailbox();
const plane = await startControlPlane(mongo.uri, {
  ...{ PICKET_SMTP_URL: mailbox.url, PICKET_PUBLIC_URL: 'https://picket.test', PICKET_TRUSTED_PROXIES: '127.0.0.1' },
});
t.teardown(async () => {
  await plane.remove();
  await mailbox.close();
  await mongo.drop();
});

const PASSWORD = 'correct horse battery staple';
const OTHER_PASSWORD = 'seven purple lamps on a shelf';
let people = 0;

const newPerson = () => personAt(plane.url);

/** Each person comes from a network of their own, so that no limit of another test matters. */
async function signUp(options: { email?: string; password?: string } = {}) {
  people += 1;
  const from = { 'x-forwarded-for': `198.51.100.${people}` };
  const { email = `person${people}@example.com`, password = PASSWORD } = options;
  const client = newPerson();
  const answer = await client.send('POST', '/v1/auth/signup', { email, password, workspace_name: 'Florist' }, from);
  const logIn = (with_ = password, as = email) =>
    newPerson().send('POST', '/v1/auth/login', { email: as, password: with_ }, from);
  return { client, answer, email, from, logIn };
}

t.test('a person signs up, is logged in, and confirms their address once', async (t) => {
  const { client, answer, email } = await signUp({ email: 'Anna@Example.com' });
  t.equal(answer.status, 201, JSON.stringify(answer.body));
  t.match(answer.body.data, { email: 'anna@example.com', plan: 'Free', role: 'owner', workspace: { name: 'Florist' } });
  t.match(client.cookie('__Host-picket_session'), /./);
  t.equal((await client.send('GET', '/v1/workspace')).body.data.confirmed_at, null);
  const mail = await mailTo(mailbox, email.toLowerCase(), /Confirm your e-mail/);
  t.match(mail.parts['text/plain'], 'https://picket.test/confirm-email#token=');
  const { token } = linkIn(mail);
  const confirm = () => client.send('POST', '/v1/auth/email/confirm', { token });
  const both = await Promise.all([confirm(), confirm()]);
  t.same(both.map(({ status }) => status).sort(), [204, 422], 'the token works once, also for two at once');
  t.not((await client.send('GET', '/v1/workspace')).body.data.confirmed_at, null);
  t.equal((await client.send('POST', '/v1/auth/email/confirm/resend')).status, 409, 'it is confirmed');
});

t.test('once the address is confirmed, others get notifications after they have agreed', async (t) => {
  const { client, email } = await signUp();
  const create = async (to: string) =>
    client.send('POST', '/v1/channels', { type: 'email', name: to, config: { to: [to] } });
  t.match((await create(email)).body, { code: 'email_not_confirmed', status: 403 });
  const test = async (id: string) => (await client.send('POST', `/v1/channels/${id}/test`)).body.data;
  const { token } = linkIn(await mailTo(mailbox, email, /Confirm your e-mail/));
  await client.send('POST', '/v1/auth/email/confirm', { token });
  t.match(await test((await create(email)).body.data.id), { status: 'sent' });
  const stranger = (await create('stranger@example.com')).body.data.id;
  t.match(await test(stranger), { status: 'unconfirmed' });
  const question = await mailTo(mailbox, 'stranger@example.com', /Do you want the alerts/);
  const confirm = new URL(/https:\S+confirm-recipient\?t=\S+/.exec(question.parts['text/plain'] ?? '')?.[0] ?? '');
  const pressed = await fetch(`${plane.url}${confirm.pathname}`, { method: 'POST', body: confirm.searchParams });
  t.equal(pressed.status, 200);
  const sent = await test(stranger);
  t.match(sent, { status: 'sent' });
  const alert = await mailTo(mailbox, 'stranger@example.com', /TEST/);
  const stop = new URL(/^<(.*)>$/.exec(alert.headers['list-unsubscribe'] ?? '')?.[1] ?? '');
  const oneClick = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  const stopped = await fetch(`${plane.url}${stop.pathname}${stop.search}`, { method: 'POST', body: oneClick });
  t.equal(stopped.status, 200);
  t.match(await test(stranger), { status: 'unconfirmed' });
});

t.test('an address with an account is refused, and its owner is notified once', async (t) => {
  const { email } = await signUp();
  const before = mailbox.mails.length;
  for (const _ of [1, 2]) {
    const again = await signUp({ email, password: OTHER_PASSWORD });
    t.match([again.answer.status, again.answer.body.code], [409, 'conflict']);
    t.same(again.client.cookies(), [], 'nobody is logged in');
  }
  const mail = await mailTo(mailbox, email, /already have a Picket account/);
  t.match(mail.parts['text/plain'], 'https://picket.test/forgot-password');
  t.equal(mailbox.mails.slice(before).filter(({ headers }) => /already/.test(headers['subject'] ?? '')).length, 1);
});

t.test('weak passwords and foreign pages are refused', async (t) => {
  const weak = await signUp({ password: 'Password1234!' });
  t.match(weak.answer.body, { code: 'validation_failed', errors: [{ path: '/password', message: /common password/ }] });
  const short = await signUp({ password: 'short' });
  t.match(short.answer.body.errors, [{ path: '/password', message: /at least 12/ }]);
  for (const path of ['signup', 'password/forgot', 'password/reset', 'email/confirm']) {
    const body = { email: 'x@example.com', password: PASSWORD, workspace_name: 'X', token: 'x'.repeat(43) };
    const fields: Record<string, string[]> = {
      signup: ['email', 'password', 'workspace_name'],
      'password/forgot': ['email'],
      'password/reset': ['token', 'password'],
      'email/confirm': ['token'],
    };
    const sent = Object.fromEntries(Object.entries(body).filter(([name]) => fields[path]?.includes(name)));
    const answer = await newPerson().send('POST', `/v1/auth/${path}`, sent, { origin: 'https://evil.example' });
    t.equal(answer.status, 403, path);
  }
});

t.test('a forgotten password is replaced with a link that works once, and every session ends', async (t) => {
  const { client, email, logIn, from } = await signUp();
  const forgot = (address: string) =>
    newPerson().send('POST', '/v1/auth/password/forgot', { email: address }, { ...from, host: 'evil.example' });
  const [known, unknown] = [await forgot(email), await forgot('nobody@example.com')];
  t.same([known.status, known.body], [unknown.status, unknown.body]);
  t.equal(known.status, 202);
  const mail = await mailTo(mailbox, email, /Reset your password/);
  t.match(mail.parts['text/plain'], 'https://picket.test/reset-password#token=', 'never the host of the request');
  t.notMatch(mail.raw, /evil\.example/);
  const reset = (password: string) =>
    newPerson().send('POST', '/v1/auth/password/reset', { token: linkIn(mail).token, password }, from);
  t.match((await reset('Password1234!')).body.errors, [{ path: '/password' }]);
  t.equal((await reset(OTHER_PASSWORD)).status, 204, 'a refused password does not use the token up');
  t.match((await reset(PASSWORD)).body.errors, [{ path: '/token' }]);
  t.equal((await client.send('POST', '/v1/auth/email/confirm/resend')).status, 401, 'the session has ended');
  t.equal((await logIn()).status, 401);
  const back = newPerson();
  t.equal((await back.send('POST', '/v1/auth/login', { email, password: OTHER_PASSWORD }, from)).status, 200);
  t.equal((await back.send('POST', '/v1/auth/email/confirm/resend')).status, 409, 'the link has proved the address');
  t.type((await back.send('GET', '/v1/workspace')).body.data.confirmed_at, 'string', 'also for the own workspaces');
  await mailTo(mailbox, email, /password was changed/);
});

t.test('a changed password ends the other sessions, and wrong guesses lock like log-ins', async (t) => {
  const { client, email, logIn, from } = await signUp();
  const other = newPerson();
  await other.send('POST', '/v1/auth/login', { email, password: PASSWORD }, from);
  const change = (current_password: string) =>
    client.send('POST', '/v1/auth/password', { current_password, password: OTHER_PASSWORD }, from);
  t.match((await change('wrong')).body.errors, [{ path: '/current_password' }]);
  const same = await client.send('POST', '/v1/auth/password', { current_password: PASSWORD, password: PASSWORD }, from);
  t.match([same.status, same.body.errors], [422, [{ path: '/password', message: /differ from the current/ }]]);
  t.equal((await change(PASSWORD)).status, 204);
  t.equal((await client.send('POST', '/v1/auth/email/confirm/resend', undefined, from)).status, 202, 'the own stays');
  t.equal((await other.send('POST', '/v1/auth/email/confirm/resend', undefined, from)).status, 401);
  t.equal((await logIn(OTHER_PASSWORD)).status, 200);
  const statuses: number[] = [];
  for (let guess = 0; guess < 11; guess++) statuses.push((await change('wrong')).status);
  t.equal(statuses.at(-1), 429);
  const failures = await mongo.db.collection('audit_log').find({ action: 'auth.login_failed', 'actor.email': email });
  const entries = await failures.toArray();
  t.equal(entries.length, 11, 'each wrong guess is recorded, those that were not made are not');
  t.match(entries[0], {
    actor: { ip: from['x-forwarded-for'] },
    metadata: { reason: 'confirmation', user_agent: /./ },
  });
});

t.test('another address counts once its mail was opened, and the old one is notified', async (t) => {
  const { client, email, logIn, from } = await signUp();
  const next = `next-${email}`;
  const change = (password: string) => client.send('POST', '/v1/auth/email', { email: next, password }, from);
  t.equal((await change('wrong')).status, 422);
  t.same((await change(PASSWORD)).body.data, { email: next });
  t.equal((await client.send('GET', '/v1/auth/me')).body.data.email, email, 'not yet');
  const { token } = linkIn(await mailTo(mailbox, next, /Confirm your new/));
  t.equal((await newPerson().send('POST', '/v1/auth/email/confirm', { token, password: PASSWORD })).status, 204);
  t.match((await mailTo(mailbox, email, /was changed/)).parts['text/plain'], next);
  t.equal((await logIn(PASSWORD, next)).status, 200);
  t.equal((await logIn(PASSWORD, email)).status, 401);
});

t.test('an account is deleted after seven days, unless that is taken back', async (t) => {
  const { client, email } = await signUp();
  const orphaning = await client.send('POST', '/v1/auth/me/delete');
  t.match([orphaning.status, orphaning.body.detail], [409, /only owner of "Florist"/]);
  t.equal((await client.send('POST', '/v1/workspace/delete', { name: 'Flower' })).status, 422);
  const startMs = Date.now();
  const isInSevenDays = (at: string) => {
    const askedMs = Date.parse(at) - 7 * 86_400_000;
    return startMs <= askedMs && askedMs <= Date.now();
  };
  const deleted = await client.send('POST', '/v1/workspace/delete', { name: 'Florist' });
  t.equal(deleted.status, 202, JSON.stringify(deleted.body));
  t.ok(isInSevenDays(deleted.body.data.deleted_at));
  const monitors = async () => (await client.send('GET', '/v1/monitors')).status;
  await waitFor('reads to be refused', 30_000, async () => (await monitors()) === 403);
  const created = await client.send('POST', '/v1/channels', { type: 'email', name: 'x', config: { to: [email] } });
  t.match(created.body.detail, /will be deleted/, 'changes are refused at once');
  const account = await client.send('POST', '/v1/auth/me/delete');
  t.equal(account.status, 202, JSON.stringify(account.body));
  t.ok(isInSevenDays(account.body.data.deleted_at));
  await mailTo(mailbox, email, /account will be deleted/);
  t.equal((await client.send('POST', '/v1/workspace/restore')).status, 200);
  t.equal(await monitors(), 200, 'reads work again at once');
  t.equal((await client.send('POST', '/v1/auth/me/restore')).status, 204);
  t.equal((await client.send('POST', '/v1/auth/me/restore')).status, 409);
});

t.test('a person has several workspaces and works in one of them', async (t) => {
  const { client, email } = await signUp();
  const created = await client.send('POST', '/v1/auth/workspaces', { name: 'Second' });
  t.match([created.status, created.body.data], [201, { name: 'Second', role: 'owner', plan: 'Free', current: false }]);
  const path = `/v1/auth/workspaces/${created.body.data.id}`;
  t.equal(created.headers.location, path);
  t.same((await client.send('GET', path)).body.data, created.body.data);
  const list = async () => (await client.send('GET', '/v1/auth/workspaces')).body.data;
  t.match(await list(), [
    { name: 'Second', current: false },
    { name: 'Florist', current: true },
  ]);
  const switched = await client.send('POST', `/v1/auth/workspaces/${created.body.data.id}/switch`);
  t.match(switched.body.data, { name: 'Second', current: true });
  await client.send('POST', `${path}/switch`);
  const entries = (await client.send('GET', '/v1/audit-logs')).body.data;
  t.match(
    entries.map(({ action }: { action: string }) => action),
    ['auth.workspace_switched', 'workspace.created'],
    'the log of the workspace says who came in, and only when they did',
  );
  t.match(entries[0], { actor: { email }, resource: { type: 'session', id: /^ses_/ }, metadata: { user_agent: /./ } });
  t.notMatch(JSON.stringify(entries), /Florist/, 'not from which other workspace');
  t.match((await client.send('GET', '/v1/auth/me')).body.data.workspace, { name: 'Second' });
  const stranger = await signUp();
  const foreign = await stranger.client.send('POST', `/v1/auth/workspaces/${created.body.data.id}/switch`);
  t.equal(foreign.status, 404);
  t.equal((await stranger.client.send('GET', path)).status, 404);
  for (let count = 3; count <= 5; count++) await client.send('POST', '/v1/auth/workspaces', { name: `W${count}` });
  t.equal((await client.send('POST', '/v1/auth/workspaces', { name: 'W6' })).status, 409, 'five Free ones at most');
  t.equal((await client.send('PATCH', '/v1/workspace', { requires_second_factor: true })).status, 409);
  const renamed = await client.send('PATCH', '/v1/workspace', { name: 'Renamed' });
  t.match(renamed.body.data, { name: 'Renamed', requires_second_factor: false });
  const tag = renamed.headers.etag ?? '';
  t.equal((await client.send('GET', '/v1/workspace')).headers.etag, tag);
  const [right, stale] = [
    await client.send('PATCH', '/v1/workspace', { name: 'Again' }, { 'if-match': tag }),
    await client.send('PATCH', '/v1/workspace', { name: 'Late' }, { 'if-match': tag }),
  ];
  t.same([right.status, stale.status], [200, 412]);
});

t.test('one network cannot create accounts without limit', async (t) => {
  const from = { 'x-forwarded-for': '203.0.113.9' };
  const send = () => newPerson().send('POST', '/v1/auth/password/forgot', { email: 'a@example.com' }, from);
  let answers: Awaited<ReturnType<typeof send>>[] = [];
  // The minute may end meanwhile, and then the count begins again.
  for (let rounds = 0; rounds < 20 && !answers.some(({ status }) => status === 429); rounds++) {
    answers = await Promise.all(Array.from({ length: 25 }, send));
  }
  t.ok(answers.some(({ status, headers }) => status === 429 && 'retry-after' in headers));
});

t.test('entries of the audit log say who did it, from where and with which program', async (t) => {
  const { email } = await signUp();
  const entry = await mongo.db.collection('audit_log').findOne({ action: 'auth.signed_up', 'actor.email': email });
  t.match(entry, { actor: { email, ip: /^198\.51\.100\./ }, metadata: { user_agent: /./ }, severity: 'info' });
});
