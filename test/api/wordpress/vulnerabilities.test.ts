import { utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { systemClock } from '../../../kernel/clock.js';
import { connectPlugin, startWordpressApp, type TestPlugin, type WordpressApp } from '../../helpers/wordpress/app.js';
import { range, wordfenceRecord } from '../../helpers/wordpress/feed.js';
import { PATH } from '../../helpers/wordpress/plane.js';

/** Between comparisons of a site whose plugins change, on average. */
const PERIOD_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const KEY = 'key-of-the-feed';

/** What the server of the feed sends. */
const served = { status: 200, text: '', headers: {} as Record<string, string>, bytesMissing: 0, requests: 0 };
const server = createServer((request, response) => {
  served.requests++;
  if (request.headers.authorization !== `Bearer ${KEY}`) return void response.writeHead(401).end();
  const isGzip = served.headers['content-encoding'] === 'gzip';
  const body = isGzip ? gzipSync(served.text) : Buffer.from(served.text);
  response.writeHead(served.status, { 'content-length': body.length, ...served.headers });
  response.write(body.subarray(0, body.length - served.bytesMissing));
  if (served.bytesMissing === 0) return void response.end();
  response.socket?.end();
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
const url = `http://127.0.0.1:${port}/feed?token=of-the-operator`;

const ahead = { ms: 0 };
const clock = { ...systemClock, now: () => systemClock.now() + ahead.ms };
const app = await startWordpressApp({ clock, feed: { url, key: KEY } });
t.teardown(async () => {
  server.close();
  await app.stop();
});
const { db } = app.parts.mongo;

const FORMS = { slug: 'forms', name: 'The Forms', version: '1.2.3', active: true };
const OTHER = { slug: 'Other', name: 'The Other', version: '2.0', active: false };
const below = (slug: string, to: string, id = slug) =>
  wordfenceRecord(slug, { x: range({ to, toInclusive: false }) }, { id });
function serve(records: object[], more: Partial<typeof served> = {}): void {
  const text = JSON.stringify(Object.fromEntries(records.map((record, index) => [`key-${index}`, record])));
  Object.assign(served, { status: 200, text, headers: {}, bytesMissing: 0 }, more);
}

interface Site {
  checks: { id: string; status: string; evidence: string; checked_at: string | null; fixable: boolean }[];
  vulnerabilities: { total: number; as_of: string; found: object[] } | null;
  score: number;
}
async function siteOf({ siteId }: TestPlugin, of: WordpressApp = app): Promise<Site> {
  return (await of.request<Site>('GET', `${PATH}/sites/${siteId}`)).body.data;
}
async function checkOf(plugin: TestPlugin, of: WordpressApp = app) {
  return (await siteOf(plugin, of)).checks.find(({ id }) => id === 'vulnerable-plugins');
}
async function connect(name: string, plugins: object[], of: WordpressApp = app): Promise<TestPlugin> {
  const plugin = await connectPlugin(of, `http://127.0.0.1:${port}/${name}`);
  await plugin.poll({ plugins });
  return plugin;
}

t.test('plugins are compared when the site reports them, and when the feed is read', async (t) => {
  const plugin = await connect('first', [FORMS, OTHER]);
  t.match(await checkOf(plugin), { status: 'unknown', evidence: 'the feed of vulnerable plugins was not read yet' });
  serve([below('forms', '1.2.4')]);
  await app.refreshFeed();
  const found = await siteOf(plugin);
  t.match(found.checks[9], {
    ...{ id: 'vulnerable-plugins', status: 'failing', fixable: false },
    evidence: /^The Forms 1\.2\.3: fixed in 1\.2\.4 \(Wordfence Intelligence of 20\d\d-\d\d-\d\d\)$/,
  });
  t.match(found.vulnerabilities, {
    total: 1,
    found: [
      {
        ...{ plugin: 'The Forms', slug: 'forms', version: '1.2.3', active: true, fixed_in: '1.2.4', rating: 'Medium' },
        ...{ cve: 'CVE-2026-10000', source: 'wordfence', url: /^https:\/\/www\.wordfence\.com\// },
        notices: [{ text: /Defiant/, license_url: /^https:/ }, { text: /MITRE/ }],
      },
    ],
  });
  await plugin.poll({ plugins: [{ ...FORMS, version: '1.2.4' }, OTHER] });
  t.match(await siteOf(plugin), { score: 10, vulnerabilities: { total: 0, found: [] } });
  t.match(await checkOf(plugin), { status: 'passing', evidence: /^none of 2 plugins/ });
  await plugin.poll({ plugins: [FORMS, OTHER] });
  t.match(await checkOf(plugin), { status: 'failing' }, 'it was put back');
  await plugin.poll();
  t.match(await checkOf(plugin), { status: 'failing' }, 'a message without plugins says nothing of them');
  const { body } = await app.request<{ checks: object[] }>('GET', `${PATH}/hardening-center`);
  t.match(body.data.checks[9], { id: 'vulnerable-plugins', failing: 1 });
  t.match(await app.request('POST', `${PATH}/${plugin.siteId}/harden/vulnerable-plugins`), {
    ...{ status: 409, body: { code: 'no_automatic_fix' } },
  });
});

t.test(
  'a site whose plugins change with each message is compared once a minute, and one without changes only once',
  async (t) => {
    serve([below('forms', '1.2.4')]);
    await again();
    await db.command({ profile: 2 });
    t.teardown(() => db.command({ profile: 0 }));
    const reads = () => db.collection('system.profile').countDocuments({ op: 'query', ns: /\.wp_vulnerabilities$/ });
    const plugin = await connect('changing', [FORMS]);
    t.equal(await reads(), 1);
    // Whoever has just updated a plugin sees that at once.
    for (const version of ['1.2.4', '1.2.3', '1.2.4', '1.2.3']) await plugin.poll({ plugins: [{ ...FORMS, version }] });
    t.equal(await reads(), 5);
    for (const version of ['1.2.4', '1.2.5', '1.2.6']) await plugin.poll({ plugins: [{ ...FORMS, version }] });
    t.equal(await reads(), 5);
    t.match(await checkOf(plugin), { status: 'failing' });
    ahead.ms += PERIOD_MS;
    await plugin.poll({ plugins: [{ ...FORMS, version: '1.2.6' }] });
    t.equal(await reads(), 6);
    t.match(await checkOf(plugin), { status: 'passing' });
    const { checked_at } = (await checkOf(plugin)) ?? {};
    ahead.ms += PERIOD_MS;
    await plugin.poll({ plugins: [{ ...FORMS, version: '1.2.6' }] });
    t.equal(await reads(), 6, 'the same plugins and the same feed');
    t.match(await checkOf(plugin), { status: 'passing' });
    t.not((await checkOf(plugin))?.checked_at, checked_at, 'they were reported again');
  },
);

t.test('the plugin cannot say of itself that the check passes', async (t) => {
  const plugin = await connectPlugin(app, `http://127.0.0.1:${port}/earlier`);
  await plugin.poll({ checks: [{ id: 'vulnerable-plugins', status: 'passing', evidence: '', applied: false }] });
  t.match(await checkOf(plugin), { status: 'unknown', checked_at: null, evidence: /does not report which plugins/ });
});

t.test('what a site reports is limited', async (t) => {
  const plugin = await connect('limited', [FORMS]);
  const refused = (plugins: unknown) => t.rejects(plugin.poll({ plugins } as never), /was refused/);
  await refused(Array.from({ length: 501 }, () => FORMS));
  await refused([{ ...FORMS, slug: 'x'.repeat(101) }]);
  await refused([{ ...FORMS, slug: { $ne: '' } }]);
  await refused([{ ...FORMS, path: '/etc' }]);
  await plugin.poll({ plugins: [OTHER], plugins_complete: false });
  t.match(await checkOf(plugin), { status: 'unknown', evidence: /more plugins/ });
});

t.test('a refresh that fails or is half keeps what was there, and the next one is in an hour', async (t) => {
  const plugin = await connect('kept', [FORMS]);
  serve([below('forms', '1.2.4')]);
  await again();
  const before = await storedRecords();
  const failing: [string, () => void][] = [
    ['no feed', () => serve([], { status: 503 })],
    ['a redirect', () => serve([], { status: 302, headers: { location: 'http://169.254.169.254/' } })],
    ['a log-in page', () => serve([], { text: '<html>' })],
    ['without a record', () => serve([])],
    ['no record of a plugin', () => serve([wordfenceRecord('x', {}, { software: [] })])],
    [
      'cut off by its sender',
      () => serve([below('a', '1'), below('forms', '1.2.4')], { text: served.text.slice(0, -9) }),
    ],
    ['cut off on the way', () => serve([below('a', '1'), below('forms', '1.2.4')], { bytesMissing: 9 })],
    [
      'cut off and compressed',
      () => serve([below('a', '1')], { bytesMissing: 9, headers: { 'content-encoding': 'gzip' } }),
    ],
  ];
  for (const [what, serveIt] of failing) {
    serve([below('a', '1'), below('forms', '1.2.4')]);
    serveIt();
    await t.rejects(again(), what);
    t.same(await storedRecords(), before, `${what}: the records are those of before`);
    t.match(await checkOf(plugin), { status: 'failing' });
    const { requests } = served;
    await app.refreshFeed();
    t.equal(served.requests, requests, 'not at once again');
  }
  t.match(await feed(), { problem: /./ });
  serve([below('other', '9')]);
  ahead.ms += HOUR_MS + 1;
  await app.refreshFeed();
  t.match(await feed(), { problem: null, records: 1 });
  t.match(await checkOf(plugin), { status: 'passing' }, 'its records replace those of before');
});

t.test('records that are left of a refresh before do not count, and are swept', async (t) => {
  serve([below('forms', '1.2.4')], { headers: { 'content-encoding': 'gzip' } });
  await again();
  await again();
  const current = (await feed())?.['generation'];
  const of = (generation: unknown) => db.collection('wp_vulnerabilities').countDocuments({ generation });
  t.equal(await of(current), 1);
  t.equal(await db.collection('wp_vulnerabilities').countDocuments(), 2, 'and the one before, which may just be read');
  await again();
  t.equal(await of(current), 1);
  t.equal(await db.collection('wp_vulnerabilities').countDocuments(), 2);
});

t.test('a control plane that has lost the lease does not end its refresh', async (t) => {
  serve([below('forms', '1.2.4')]);
  await again();
  const before = await feed();
  await db.collection('wp_vulnerability_feed').updateOne({}, { $inc: { fence: 1_000 }, $set: { next_at_ms: 0 } });
  await app.refreshFeed();
  t.equal((await feed())?.['generation'], before?.['generation']);
  await db.collection('wp_vulnerability_feed').updateOne({}, { $inc: { fence: -1_000 } });
});

t.test('half of a large feed is refused, unless the setting is another one', async (t) => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => below(`plugin-${index}`, '1'));
  serve(many(1_200));
  await again();
  serve(many(500));
  await t.rejects(again(), /has 500 records, and had 1200 before/);
  serve(many(700));
  await again();
  t.match(await feed(), { records: 700, problem: null });
});

t.test('a changed setting that fails is tried again in an hour, like every other', async (t) => {
  serve([below('forms', '1.2.4')]);
  await again();
  await db.collection('wp_vulnerability_feed').updateOne({}, { $set: { setting_hash: 'of another setting' } });
  served.status = 503;
  await t.rejects(app.refreshFeed(), 'it is tried at once');
  await t.resolves(app.refreshFeed(), 'and not again in a minute');
  served.status = 200;
  ahead.ms += HOUR_MS + 1;
  await app.refreshFeed();
  t.match(await feed(), { problem: null, records: 1 });
});

t.test('a feed older than seven days says nothing, also of sites that were compared before', async (t) => {
  serve([below('forms', '1.2.4')]);
  await again();
  const [failing, passing] = [await connect('old', [FORMS]), await connect('old-2', [OTHER])];
  served.status = 503;
  ahead.ms += 7 * DAY_MS - HOUR_MS;
  await failing.poll({ plugins: [FORMS] });
  await passing.poll({ plugins: [OTHER] });
  t.match(await checkOf(failing), { status: 'failing' });
  t.match(await checkOf(passing), { status: 'passing' });
  ahead.ms += 2 * HOUR_MS;
  for (const plugin of [failing, passing]) {
    t.match(await checkOf(plugin), { status: 'unknown', evidence: /older than 7 days/ });
    t.equal((await siteOf(plugin)).vulnerabilities, null);
  }
  await failing.poll({ plugins: [FORMS] });
  t.match(await checkOf(failing), { status: 'unknown', evidence: /older than 7 days/ });
  served.status = 200;
  await again();
  t.match(await checkOf(failing), { status: 'failing' }, 'the next refresh says so again');
});

t.test('neither the setting nor its key is shown to anybody', async (t) => {
  await connect('hidden', [FORMS]);
  for (const path of [`${PATH}/hardening-center`, `${PATH}/sites`]) {
    const { text } = await app.request('GET', path);
    for (const secret of [KEY, 'of-the-operator', String(port).concat('/feed')]) t.notMatch(text, secret);
  }
  t.notMatch(JSON.stringify(await feed()), /of-the-operator|key-of-the-feed/, 'nor stored');
});

t.test('without a feed, and with one that the guard refuses, the check is unknown', async (t) => {
  const without = await startWordpressApp({ beside: app, clock, feed: null });
  t.teardown(() => without.stop());
  const plugin = await connect('without', [FORMS], without);
  t.match(await checkOf(plugin, without), {
    status: 'unknown',
    evidence: 'this Picket has no feed of vulnerable plugins',
  });
  const guarded = await startWordpressApp({ clock, allowPrivate: false, feed: { url, key: KEY } });
  t.teardown(() => guarded.stop());
  const { requests } = served;
  await t.rejects(guarded.refreshFeed(), { code: 'blocked_target' });
  t.equal(served.requests, requests);
});

t.test('a file is as old as its last change', async (t) => {
  const file = join(t.testdir(), 'feed.json');
  await writeFile(file, JSON.stringify([below('forms', '1.2.4')]));
  const of = await startWordpressApp({ clock, feed: { file } });
  t.teardown(() => of.stop());
  const nowS = clock.now() / 1_000;
  await utimes(file, nowS, nowS - 6 * 86_400);
  await of.refreshFeed();
  const plugin = await connect('file', [FORMS], of);
  t.match(await checkOf(plugin, of), { status: 'failing' });
  ahead.ms += DAY_MS + HOUR_MS;
  await of.refreshFeed();
  await plugin.poll({ plugins: [FORMS] });
  t.match(await checkOf(plugin, of), { status: 'unknown', evidence: /older than 7 days/ }, 'however often it is read');
});

/** Refreshes the feed, whenever that is due. */
async function again(): Promise<void> {
  await db.collection('wp_vulnerability_feed').updateOne({}, { $set: { next_at_ms: 0 } });
  await app.refreshFeed();
}

async function feed() {
  return db.collection('wp_vulnerability_feed').findOne({});
}

/** Resolves to the records that count. */
async function storedRecords() {
  const generation = (await feed())?.['generation'];
  return db.collection('wp_vulnerabilities').find({ generation }).toArray();
}
