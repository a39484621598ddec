import { randomBytes } from 'node:crypto';
import t from 'tap';
import { systemClock } from '../../../kernel/clock.js';
import { WORKING } from '../../helpers/standing.js';
import { ABOUT, connectPlugin, measured, startWordpressApp } from '../../helpers/wordpress/app.js';
import { PATH } from '../../helpers/wordpress/plane.js';

const POLL = '/v1/wp/plugin/poll';
const MINUTE_MS = 60_000;

const ahead = { ms: 0 };
const standing = { stopped: false, exists: true };
const app = await startWordpressApp({
  clock: { ...systemClock, now: () => systemClock.now() + ahead.ms },
  standingOf: async () => (standing.exists ? { ...WORKING, stopped: standing.stopped } : null),
});
t.teardown(() => app.stop());

const message = (more: object = {}) => ({ ...ABOUT, checks: [], results: [], ...more });
const activate = (code: string, more: object = {}) =>
  app.request<{ site_id: string; secret: string }>('POST', '/v1/wp/plugin/activate', {
    key: null,
    body: { ...ABOUT, code, ...more },
  });
const check = async (id: string) => {
  const { body } = await app.request<{ checks: { id: string }[] }>('GET', `${PATH}/sites/${id}`);
  return body.data.checks.find((one) => one.id === 'xmlrpc');
};
const jobsOf = async (id: string) =>
  (await app.request<{ id: string; status: string }[]>('GET', `${PATH}/sites/${id}/jobs`)).body.data;

t.test('an activation code works once, for 30 minutes, and only at the address of its site', async (t) => {
  const url = 'http://127.0.0.1:8081';
  const added = await app.request<{ id: string; activation_code: string }>('POST', `${PATH}/sites`, {
    body: { name: 'Shop', url },
  });
  const { id, activation_code: first } = added.body.data;
  t.match(first, /^([0-9A-HJKMNP-TV-Z]{5}-){3}[0-9A-HJKMNP-TV-Z]{5}$/);
  t.match(await activate(first), { status: 409, body: { detail: /The code is for http:\/\/127.0.0.1:8081, but/ } });
  t.equal((await activate(first, { home_url: `${url}/staging` })).status, 409, 'a copy in a folder of it');
  ahead.ms = 31 * MINUTE_MS;
  t.match(await activate(first, { home_url: url }), { status: 401, body: { code: 'unauthenticated' } }, 'expired');
  const renewed = await app.request<{ activation_code: string }>('POST', `${PATH}/sites/${id}/activation-code`);
  t.equal(renewed.status, 201);
  const code = renewed.body.data.activation_code;
  ahead.ms = 0;
  t.equal((await activate(first, { home_url: url })).status, 401, 'the previous code no longer works');
  const typed = ` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o')} `;
  t.match(await activate(typed, { home_url: `${url}/` }), { status: 200, body: { data: { site_id: id } } });
  t.equal((await activate(code, { home_url: url })).status, 401, 'used');
  const stored = JSON.stringify(await app.parts.mongo.db.collection('wp_sites').find().toArray());
  t.notOk(stored.includes(code.replaceAll('-', '')), 'neither the code');
  t.notMatch(stored, /"secret":"[0-9a-f]{64}"/, 'nor the secret is stored as it is');
});

t.test('only what the plugin has signed counts, and only once', async (t) => {
  const plugin = await connect(t);
  t.equal((await plugin.send(POLL, message())).status, 200);
  const refused = async (what: string, changed: Parameters<typeof plugin.send>[2]) => {
    const before = await app.parts.mongo.db.collection('wp_sites').findOne({ _id: plugin.siteId as never });
    const answer = await plugin.send(POLL, message({ checks: [measured('passing', true)] }), changed);
    t.match(answer, { status: 401, body: { code: 'unauthenticated' } }, what);
    const after = await app.parts.mongo.db.collection('wp_sites').findOne({ _id: plugin.siteId as never });
    t.same(after, before, `${what}: nothing is stored`);
  };
  const other = await connect(t);
  await refused('of a site that does not exist', { site: `site_${'0'.repeat(26)}` });
  await refused('of another site', { site: other.siteId });
  await refused('with another signature', { signature: 'f'.repeat(64) });
  await refused('without a signature', { signature: '' });
  await refused('with another body', { body: JSON.stringify(message({ checks: [measured('failing')] })) });
  const now = Math.floor(systemClock.now() / 1_000);
  await refused('more than five minutes old', { time: String(now - 310) });
  await refused('more than five minutes ahead', { time: String(now + 310) });
  const nonce = randomBytes(16).toString('hex');
  t.equal((await plugin.send(POLL, message(), { nonce })).status, 200);
  await refused('a nonce that was used', { nonce });
  t.equal((await other.send(POLL, message(), { nonce })).status, 200, 'a nonce is of one site');
});

t.test('a message is limited', async (t) => {
  const plugin = await connect(t);
  t.equal((await plugin.send(POLL, message({ wp_version: 'x'.repeat(70_000) }))).status, 413);
  t.equal((await plugin.send(POLL, message({ server: 'x'.repeat(200) }))).status, 422);
  const long = { ...measured('passing'), evidence: 'x'.repeat(400) };
  t.equal((await plugin.send(POLL, message({ checks: [long] }))).status, 422);
  t.equal((await plugin.send(POLL, message({ code: 'eval' }))).status, 422, 'a field that is not known');
});

t.test('a job is delivered until its result is there, and then never again', async (t) => {
  const plugin = await connect(t);
  await plugin.poll({ checks: [measured('failing')] });
  const harden = () => app.request<{ id: string }>('POST', `${PATH}/${plugin.siteId}/harden/xmlrpc`);
  const [one, other] = await Promise.all([harden(), harden()]);
  t.equal(one.status, 202);
  t.equal(other.body.data.id, one.body.data.id, 'a second call while it is open returns the same job');
  const id = one.body.data.id;
  t.match(await jobsOf(plugin.siteId), [{ id, status: 'queued' }]);
  const delivered = { jobs: [{ id, kind: 'fix', check: 'xmlrpc' }] };
  t.match(await plugin.poll({ checks: [measured('failing')] }), delivered);
  t.match(await plugin.poll({ checks: [measured('failing')] }), delivered, 'the answer may have been lost');
  t.match(await jobsOf(plugin.siteId), [{ id, status: 'delivered' }]);
  t.match(await check(plugin.siteId), { status: 'failing' }, 'nothing passes because it was queued');
  const result = { job_id: id, outcome: 'applied', error: '' };
  t.same((await plugin.poll({ checks: [measured('passing', true)], results: [result] })).jobs, []);
  t.match(await jobsOf(plugin.siteId), [{ id, status: 'applied' }]);
  t.match(await check(plugin.siteId), { status: 'passing', applied: true });
  const repeated = { ...result, outcome: 'failed', error: 'no' };
  await plugin.poll({ checks: [measured('passing', true)], results: [repeated] });
  t.match(await jobsOf(plugin.siteId), [{ id, status: 'applied' }], 'a result cannot be changed');
});

t.test('what a site does not allow is fixed by hand', async (t) => {
  const plugin = await connect(t);
  const reason = 'The web server does not read .htaccess files.';
  const listing = { id: 'directory-browsing', status: 'failing', evidence: 'lists', applied: false, obstacle: reason };
  const editor = { id: 'file-editor', status: 'failing', evidence: 'may edit', applied: false, obstacle: '' };
  await plugin.poll({ checks: [listing, editor] });
  const read = async (n: number) => {
    const { body } = await app.request<{ checks: object[] }>('GET', `${PATH}/sites/${plugin.siteId}`);
    return body.data.checks[n];
  };
  t.match(await read(2), {
    fixable: true,
    manual: { reason, snippet: { server: 'apache', text: 'Options -Indexes' } },
  });
  t.match(await read(4), { fixable: true, manual: null });
  const all = await app.request<{ check: string }[]>('POST', `${PATH}/${plugin.siteId}/harden-all`);
  const checks = all.body.data.map(({ check }) => check);
  t.ok(checks.includes('file-editor'));
  t.notOk(checks.includes('directory-browsing'));
  t.equal((await app.request('POST', `${PATH}/${plugin.siteId}/harden/directory-browsing`)).status, 202, 'once more');
  await plugin.send(POLL, message({ home_url: ABOUT.home_url, server: 'nginx/1.22', checks: [listing] }));
  t.match(await read(2), { manual: { snippet: { server: 'nginx', text: 'autoindex off;' } } });
  await plugin.poll({ checks: [{ ...listing, pasteable: false }] });
  t.match(await read(2), { manual: { reason, snippet: null } });
  await plugin.poll({ checks: [{ ...listing, obstacle: '' }] });
  t.match(await read(2), { manual: null });
  const long = { ...listing, obstacle: 'x'.repeat(301) };
  t.equal((await plugin.send(POLL, message({ checks: [long] }))).status, 422);
});

t.test('whether fixes can be undone before plugins and theme are loaded is known for 24 hours', async (t) => {
  const plugin = await connect(t);
  const read = async () => {
    const { body } = await app.request('GET', `${PATH}/sites/${plugin.siteId}`);
    return body.data as { undo_before_plugins: object | null };
  };
  await plugin.poll();
  t.match(await read(), { undo_before_plugins: null }, 'an earlier version of the plugin says nothing');
  await plugin.poll({ undo_obstacle: 'The folder of it cannot be written.' });
  t.match(await read(), { undo_before_plugins: { status: 'failing', evidence: /cannot be written/ } });
  await plugin.poll({ undo_obstacle: '' });
  await plugin.poll();
  t.match(await read(), { undo_before_plugins: { status: 'passing', evidence: /is loaded/ } });
  ahead.ms = 25 * 60 * MINUTE_MS;
  t.match(await read(), { undo_before_plugins: null });
  t.equal((await plugin.send(POLL, message({ undo_obstacle: 'x'.repeat(301) }))).status, 422);
});

t.test('a plugin cannot end the job of another site', async (t) => {
  const [one, other] = [await connect(t), await connect(t)];
  const { body } = await app.request<{ id: string }>('POST', `${PATH}/${one.siteId}/harden/xmlrpc`);
  await one.poll();
  await other.poll({ results: [{ job_id: body.data.id, outcome: 'failed', error: 'mine' }] });
  t.match(await jobsOf(one.siteId), [{ status: 'delivered' }]);
});

t.test('a reading is valid for 24 hours', async (t) => {
  const plugin = await connect(t);
  await plugin.poll({ checks: [measured('passing')] });
  t.match(await check(plugin.siteId), { status: 'passing' });
  ahead.ms = 25 * 60 * MINUTE_MS;
  t.match(await check(plugin.siteId), { status: 'unknown', evidence: 'not measured for 24 hours' });
  t.match(await app.request('GET', `${PATH}/sites/${plugin.siteId}`), {
    body: { data: { status: 'silent', score: 0 } },
  });
  ahead.ms = 0;
});

t.test('a stopped workspace gets no jobs', async (t) => {
  const plugin = await connect(t);
  await app.request('POST', `${PATH}/${plugin.siteId}/harden/xmlrpc`);
  standing.stopped = true;
  t.same((await plugin.poll()).jobs, []);
  Object.assign(standing, { stopped: false, exists: false });
  t.same((await plugin.poll()).jobs, [], 'nor does one that was deleted');
  standing.exists = true;
  t.match(await plugin.poll(), { jobs: [{ check: 'xmlrpc' }] });
});

t.test('a plugin that disconnects loses its access', async (t) => {
  const plugin = await connect(t);
  await plugin.poll({ checks: [measured('passing', true)] });
  t.match(await check(plugin.siteId), { status: 'passing', applied: true });
  ahead.ms = MINUTE_MS;
  t.equal((await plugin.send('/v1/wp/plugin/disconnect', {})).status, 200);
  t.match(
    await check(plugin.siteId),
    { status: 'unknown', evidence: 'not measured since the change', applied: false },
    'nobody knows more of a site on which everything was undone',
  );
  t.equal((await plugin.send(POLL, message())).status, 401);
  t.match(await app.request('GET', `${PATH}/sites/${plugin.siteId}`), { body: { data: { status: 'disconnected' } } });
  t.match(await app.request('POST', `${PATH}/${plugin.siteId}/harden-all`), { status: 409 });
});

t.test('wrong guesses of a code are limited', async (t) => {
  const statuses = new Set<number>();
  for (let guess = 0; guess < 40; guess++) statuses.add((await activate('AAAAA-AAAAA-AAAAA-AAAAA')).status);
  t.ok(statuses.has(429));
});

const sites = { count: 0 };
function connect(t: { teardown(run: () => unknown): void }) {
  t.teardown(() => {
    ahead.ms = 0;
  });
  return connectPlugin(app, `${ABOUT.home_url}/${sites.count++}`);
}
