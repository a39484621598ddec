import t from 'tap';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { connectPlugin, measured, startWordpressApp } from '../../helpers/wordpress/app.js';
import { PATH } from '../../helpers/wordpress/plane.js';

const app = await startWordpressApp();
t.teardown(() => app.stop());
const SITES = `${PATH}/sites`;
const entriesOf = (id: string) =>
  app.parts.mongo.db.collection('audit_log').find({ 'resource.id': id }).sort({ _id: 1 }).toArray();

t.test('a site is added, read, listed and deleted', async (t) => {
  const added = await app.request<{ id: string }>('POST', SITES, {
    body: { name: ' Shop ', url: 'https://Shop.example/' },
  });
  t.match(added, {
    status: 201,
    body: { data: { name: 'Shop', url: 'https://shop.example', status: 'waiting', score: null, seen_at: null } },
  });
  const { id } = added.body.data;
  t.equal(added.headers.get('location'), `${SITES}/${id}`);
  const read = await app.request<{ checks: unknown[] }>('GET', `${SITES}/${id}`);
  t.equal(read.body.data.checks.length, 10);
  t.notOk('activation_code' in read.body.data, 'the code is shown once');
  t.match((await app.request<{ id: string }[]>('GET', SITES)).body.data, [{ id }]);
  t.match(await app.request('POST', SITES, { body: { name: 'Twin', url: 'https://shop.example/#a' } }), {
    status: 409,
  });
  t.match(
    await app.request('DELETE', `${SITES}/${id}`, { headers: { 'if-match': '"7"' } }),
    { status: 412 },
    'of another version',
  );
  t.equal((await app.request('DELETE', `${SITES}/${id}`)).status, 204);
  t.equal((await app.request('GET', `${SITES}/${id}`)).status, 404);
  t.match(await entriesOf(id), [{ action: 'site.created' }, { action: 'site.deleted' }]);
});

t.test('an address that nobody may be called at is refused', async (t) => {
  for (const url of [
    'shop.example',
    'ftp://shop.example',
    'http://user:secret@shop.example',
    'http://169.254.169.254/',
  ]) {
    t.match(await app.request('POST', SITES, { body: { name: 'Shop', url } }), {
      ...{ status: 422, body: { errors: [{ path: '/url' }] } },
    });
  }
});

t.test('a plan limits the sites, also for concurrent requests', async (t) => {
  const small = await startWordpressApp({ plan: 'Free', beside: app });
  t.teardown(() => small.stop());
  const post = (name: string) => small.request('POST', SITES, { body: { name, url: `https://${name}.example` } });
  const answers = await Promise.all(['a', 'b', 'c'].map(post));
  t.strictSame(answers.map(({ status }) => status).sort(), [201, 402, 402]);
  t.match(await post('d'), {
    body: { detail: 'The Free plan allows 1 WordPress site. The Pro plan allows 20 WordPress sites.' },
  });
});

t.test('what is done to a site is in the audit log', async (t) => {
  const plugin = await connectPlugin(app, 'http://127.0.0.1:8080/audit');
  const { siteId } = plugin;
  const { body } = await app.request<{ id: string }>('POST', `${PATH}/${siteId}/harden/xmlrpc`);
  const job_id = body.data.id;
  await plugin.poll();
  await plugin.poll({ results: [{ job_id, outcome: 'rolled_back', error: 'HTTP 500' }] });
  t.match(await entriesOf(siteId), [
    { action: 'site.created', actor: { email: app.workspace.email } },
    { action: 'site.connected', actor: { email: 'system' }, metadata: { wp_version: '6.1.9' } },
    { action: 'site.fix_queued', metadata: { check: 'xmlrpc', job_id } },
    { action: 'site.job_ended', metadata: { job_id, status: 'rolled_back', error: 'HTTP 500' } },
  ]);
});

t.test('the hardening centre counts what is unknown as not passing', async (t) => {
  const before = (await app.request<Center>('GET', `${PATH}/hardening-center`)).body.data.summary;
  const one = await connectPlugin(app, 'http://127.0.0.1:8080/one');
  const other = await connectPlugin(app, 'http://127.0.0.1:8080/other');
  await one.poll({ checks: [measured('passing')] });
  await other.poll({ checks: [measured('failing')] });
  const { summary, checks, sites } = (await app.request<Center>('GET', `${PATH}/hardening-center`)).body.data;
  t.match(summary, {
    ...{ sites: before.sites + 2, passing: before.passing + 1, failing: before.failing + 1 },
    unknown: before.unknown + 18,
    score: Math.floor((100 * (before.passing + 1)) / (10 * (before.sites + 2))),
  });
  t.equal(checks.length, 10);
  t.match(checks[0], { id: 'xmlrpc', severity: 'high', passing: before.passing + 1 });
  t.match(
    sites.find(({ id }) => id === one.siteId),
    { score: 10 },
  );
});

interface Center {
  summary: { sites: number; passing: number; failing: number; unknown: number; score: number | null };
  checks: unknown[];
  sites: { id: string; score: number }[];
}

t.test('the last 100 ended jobs are kept', async (t) => {
  const plugin = await connectPlugin(app, 'http://127.0.0.1:8080/many');
  const jobs = app.parts.mongo.db.collection<{ _id: string }>('wp_jobs');
  for (let n = 0; n < 120; n++) {
    await jobs.insertOne({
      ...{ _id: app.parts.ids.next('job'), workspace_id: app.workspace.id, site_id: plugin.siteId, check: 'xmlrpc' },
      ...{ kind: 'fix', status: 'verified', open: false, error: null, created_at_ms: n, delivered_at_ms: null },
      ...{ applied_at_ms: null, ended_at_ms: n, expires_at_ms: n },
    } as { _id: string });
  }
  const { body } = await app.request<{ id: string }>('POST', `${PATH}/${plugin.siteId}/harden/xmlrpc`);
  const kept = await app.request<{ id: string; created_at: string }[]>(
    'GET',
    `${PATH}/sites/${plugin.siteId}/jobs?limit=200`,
  );
  t.equal(kept.body.data.length, 100);
  t.equal(kept.body.data[0]?.id, body.data.id);
  t.equal(kept.body.data[99]?.created_at, new Date(21).toISOString(), 'the oldest are gone');
  await app.request('DELETE', `${SITES}/${plugin.siteId}`);
  t.equal(await jobs.countDocuments({ site_id: plugin.siteId }), 0);
});

t.test('scopes', async (t) => {
  const { siteId } = await connectPlugin(app, 'http://127.0.0.1:8080/scopes');
  const reader = (await buildKey(app.parts.mongo, app.workspace, { scopes: ['wordpress:read'] })).key;
  const writer = (await buildKey(app.parts.mongo, app.workspace, { scopes: ['wordpress:write'] })).key;
  for (const [method, path] of requestsTo(siteId)) {
    const [right, wrong] = method === 'GET' ? [reader, writer] : [writer, reader];
    t.match(await app.request(method, path, { key: wrong }), { status: 403, body: { code: 'insufficient_scope' } });
    t.equal((await app.request(method, path, { key: null })).status, 401);
    if (method === 'GET') t.equal((await app.request(method, path, { key: right })).status, 200);
  }
});

t.test('a site of another workspace is not found', async (t) => {
  const { siteId } = await connectPlugin(app, 'http://127.0.0.1:8080/theirs');
  const stranger = (await buildKey(app.parts.mongo, await buildWorkspace(app.parts.mongo))).key;
  const state = () => app.parts.mongo.db.collection('wp_sites').findOne({ _id: siteId as never });
  const before = await state();
  for (const [method, path] of requestsTo(siteId)) {
    t.match(await app.request(method, path, { key: stranger }), { status: 404, body: { code: 'not_found' } }, path);
  }
  t.match(await app.request('GET', SITES, { key: stranger }), { body: { data: [] } });
  t.match(await app.request('GET', `${PATH}/hardening-center`, { key: stranger }), { body: { data: { sites: [] } } });
  t.same(await state(), before);
});

function requestsTo(id: string): [method: string, path: string][] {
  return [
    ['GET', `${SITES}/${id}`],
    ['GET', `${SITES}/${id}/jobs`],
    ['POST', `${SITES}/${id}/activation-code`],
    ['POST', `${PATH}/${id}/harden-all`],
    ['POST', `${PATH}/${id}/harden/xmlrpc`],
    ['POST', `${PATH}/${id}/undo/xmlrpc`],
    ['DELETE', `${SITES}/${id}`],
  ];
}
