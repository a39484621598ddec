import { utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { systemClock } from '../../../kernel/clock.js';
import { waitFor } from '../../helpers/wait.js';
import { connectPlugin, startWordpressApp, type TestPlugin, type WordpressApp } from '../../helpers/wordpress/app.js';
import { range, wordfenceRecord } from '../../helpers/wordpress/feed.js';
import { PATH } from '../../helpers/wordpress/plane.js';

const WAIT_MS_MAX = 60_000;
const POLL_MS = 300_000;
const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 0, 31, 12);

interface Said {
  status: 'passing' | 'failing' | 'unknown';
  id?: string;
  evidence?: string;
  applied?: boolean;
  obstacle?: string;
}

async function setUp(t: Test, { url = 'http://127.0.0.1:8080', feed = null as string | null } = {}) {
  const time = { ms: START_MS };
  const clock = { ...systemClock, now: () => time.ms };
  const app = await startWordpressApp({ clock, feed: feed === null ? null : { file: feed } });
  t.teardown(() => app.stop());
  const plugin = await connectPlugin(app, url);
  /** Five minutes later, the plugin says so. */
  const saysOf =
    (of: TestPlugin) =>
    async (...said: Said[]) => {
      time.ms += POLL_MS;
      const checks = said.map(({ id = 'xmlrpc', status, ...more }) => ({
        ...{ id, status, evidence: `measured as ${status}`, applied: false },
        ...more,
      }));
      return of.poll({ checks });
    };
  return { app, plugin, time, says: saysOf(plugin), saysOf };
}

t.test('a check that passed and fails twice opens one incident, which ends when it passes again', async (t) => {
  const { app, plugin, says } = await setUp(t);
  await says({ status: 'passing' });
  await says({ status: 'failing' });
  t.strictSame(await app.incidents(), [], 'one measurement may be in the middle of an update');
  await says({ status: 'failing', evidence: 'xmlrpc.php answers with HTTP 200 and offers 80 methods' });
  const [incident, ...others] = await app.incidents();
  t.strictSame(others, []);
  t.match(incident, {
    kind: 'wordpress',
    subject: `wordpress:${plugin.siteId}:xmlrpc`,
    resource: { type: 'site', id: plugin.siteId, name: 'Shop' },
    status: 'firing',
    severity: 'warning',
    started_at_ms: START_MS + 2 * POLL_MS,
    runbook_url: `http://picket.test/wordpress/${plugin.siteId}`,
    message:
      'The check “XML-RPC disabled” of Shop has failed since 2026-01-31 12:10:00 UTC; it last passed at 2026-01-31 12:05:00 UTC. xmlrpc.php answers with HTTP 200 and offers 80 methods. What to do: one click on “Harden” on the page of the site in Picket fixes it.',
  });
  t.match((await app.request('GET', `/v1/alerts/${incident?._id}`)).body.data, {
    decision: {
      rule: { type: 'wordpress_check_failed' },
      wordpress: { check: 'xmlrpc', measurements: 2, from_outside: false, passed_at: '2026-01-31T12:05:00.000Z' },
    },
  });
  await says({ status: 'failing' });
  await says({ status: 'unknown' });
  t.match(await app.incidents(), [{ status: 'firing' }], 'unknown resolves nothing');
  await says({ status: 'passing' });
  t.match(await app.incidents(), [
    { status: 'resolved', resolution: 'recovered', recovery: { wordpress: { evidence: 'measured as passing' } } },
  ]);
});

t.test('what was never measured as passing since the connection, or is unknown, opens nothing', async (t) => {
  const { app, says } = await setUp(t);
  for (let poll = 0; poll < 3; poll++) await says({ status: 'failing' }, { id: 'hide-version', status: 'unknown' });
  await says({ id: 'file-editor', status: 'passing' });
  for (let poll = 0; poll < 3; poll++) await says({ id: 'file-editor', status: 'unknown' });
  await says({ id: 'file-editor', status: 'failing' });
  await says({ id: 'file-editor', status: 'passing' });
  await says({ id: 'file-editor', status: 'failing' });
  t.strictSame(await app.incidents(), []);
});

t.test('the message says how to fix what one click cannot', async (t) => {
  const { app, says } = await setUp(t);
  const ids = ['fatal-errors', 'security-headers', 'hide-version'];
  await says(...ids.map((id): Said => ({ id, status: 'passing' })));
  const failing: Said[] = [
    { id: 'fatal-errors', status: 'failing' },
    { id: 'security-headers', status: 'failing', obstacle: 'nginx reads no .htaccess files' },
    { id: 'hide-version', status: 'failing', applied: true },
  ];
  await says(...failing);
  await says(...failing);
  const messages = new Map((await app.incidents()).map(({ subject, message }) => [subject.split(':')[2], message]));
  t.match(messages.get('fatal-errors'), /update or deactivate the plugin or theme that the error names\.$/);
  t.match(
    messages.get('security-headers'),
    /cannot fix this on the site: nginx reads no \.htaccess files\. The page of the site in Picket has the lines to paste\.$/,
  );
  t.match(
    messages.get('hide-version'),
    /is on the site, but has no effect\. What to do: one click .* applies it again\.$/,
  );
});

/** A site that can be down, and whose XML-RPC can be open, and looks from outside at it. */
async function setUpLooks(t: Test) {
  const is = { open: false, down: false };
  const server = createServer((request, response) => {
    if (is.down) return void request.socket.destroy();
    const isOpen = is.open && (request.url ?? '').startsWith('/xmlrpc.php');
    response.writeHead(isOpen ? 200 : 403).end(isOpen ? '<methodResponse>' : 'closed');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const set = await setUp(t, { url });
  const { app, plugin, time } = set;
  for (const job of app.jobs) await job.start();
  t.teardown(async () => {
    for (const job of app.jobs) await job.stop();
  });
  const lookedAt = (ms: number) =>
    waitFor('a look from outside', WAIT_MS_MAX, async () => ((await storedSite(app, plugin))['look_at_ms'] ?? 0) > ms);
  /** Six hours later, Picket looks at the site. */
  const look = async () => {
    time.ms += 6 * HOUR_MS;
    await lookedAt(time.ms);
  };
  await lookedAt(time.ms);
  return { ...set, is, look };
}

t.test('a failure that is seen from outside opens an incident at once, and is counted once', async (t) => {
  const { app, is, look, says } = await setUpLooks(t);
  await says({ status: 'passing' });
  t.strictSame(await app.incidents(), []);
  is.open = true;
  await look();
  await waitFor('the incident', WAIT_MS_MAX, async () => (await app.incidents()).length > 0);
  t.match(await app.incidents(), [
    { status: 'firing', message: /Seen from outside: xmlrpc/, decision: { wordpress: { from_outside: true } } },
  ]);
  await says({ status: 'passing' });
  t.match(await app.incidents(), [{ status: 'firing' }], 'the plugin cannot end what everybody sees');
  is.down = true;
  await look();
  await says({ status: 'passing' });
  t.match(await app.incidents(), [{ status: 'firing' }], 'nor can a look that finds nothing out');
  is.down = false;
  await look();
  t.match(await app.incidents(), [{ status: 'firing' }], 'it is the same incident');
  is.open = false;
  await look();
  await says({ status: 'passing' });
  t.match(await app.incidents(), [{ status: 'resolved', resolution: 'recovered' }]);
});

t.test('an undo whose effect is seen before its result is known opens nothing', async (t) => {
  const { app, plugin, is, look, says } = await setUpLooks(t);
  await says({ status: 'passing', applied: true });
  const queued = await app.request<{ id: string }>('POST', `${PATH}/${plugin.siteId}/undo/xmlrpc`);
  t.equal(queued.status, 202);
  t.match(await says({ status: 'passing', applied: true }), { jobs: [{ kind: 'undo' }] }, 'the job is delivered');
  is.open = true;
  await look();
  for (let poll = 0; poll < 2; poll++) await says({ status: 'failing' });
  t.strictSame(await app.incidents(), []);
  const checks = [{ id: 'xmlrpc', status: 'failing', evidence: 'open', applied: false }];
  await plugin.poll({ checks, results: [{ job_id: queued.body.data.id, outcome: 'applied', error: '' }] });
  await look();
  t.strictSame(await app.incidents(), []);
});

t.test('a failure during an undo that fails is noticed', async (t) => {
  const { app, plugin, is, look, says } = await setUpLooks(t);
  await says({ status: 'passing', applied: true });
  const queued = await app.request<{ id: string }>('POST', `${PATH}/${plugin.siteId}/undo/xmlrpc`);
  await says({ status: 'passing', applied: true });
  is.open = true;
  await look();
  const checks = [{ id: 'xmlrpc', status: 'passing', evidence: 'closed', applied: true }];
  await plugin.poll({ checks, results: [{ job_id: queued.body.data.id, outcome: 'failed', error: 'a link' }] });
  t.match(await app.incidents(), [{ status: 'firing' }]);
});

t.test('a plugin that becomes known as vulnerable opens an incident with the next report of the site', async (t) => {
  const folder = t.testdir({});
  const file = join(folder, 'feed.json');
  const record = (to: string) => wordfenceRecord('forms', { x: range({ to, toInclusive: false }) });
  await writeFile(file, JSON.stringify({ one: record('1.0') }));
  const { app, plugin, time } = await setUp(t, { feed: file });
  const dated = () => utimes(file, time.ms / 1_000, time.ms / 1_000);
  const plugins = [{ slug: 'forms', name: 'The Forms', version: '1.2.3', active: true }];
  const report = async () => {
    time.ms += POLL_MS;
    await plugin.poll({ plugins });
  };
  await dated();
  await app.refreshFeed();
  await report();
  await writeFile(file, JSON.stringify({ one: record('1.2.4') }));
  time.ms += 25 * HOUR_MS;
  await dated();
  await app.refreshFeed();
  await report();
  await report();
  t.match(await app.incidents(), [
    {
      subject: `wordpress:${plugin.siteId}:vulnerable-plugins`,
      message: /The Forms 1\.2\.3: fixed in 1\.2\.4 .*What to do: update these plugins/,
    },
  ]);
});

t.test('the end of a connection or of a site resolves its incidents with the reason', async (t) => {
  const { app, plugin, says, saysOf } = await setUp(t);
  await says({ status: 'passing' });
  await says({ status: 'failing' });
  await says({ status: 'failing' });
  t.equal((await plugin.send('/v1/wp/plugin/disconnect', {})).status, 200);
  t.match(await app.incidents(), [
    {
      status: 'resolved',
      resolution: 'disconnected',
      events: [{}, { message: 'Resolved because the WordPress site Shop was disconnected.' }],
    },
  ]);
  const other = await connectPlugin(app, 'http://127.0.0.1:8081');
  const otherSays = saysOf(other);
  await otherSays({ status: 'passing' });
  await otherSays({ status: 'failing' });
  await otherSays({ status: 'failing' });
  t.equal((await app.incidents()).at(-1)?.status, 'firing');
  t.equal((await app.request('DELETE', `${PATH}/sites/${other.siteId}`)).status, 204);
  t.match((await app.incidents()).at(-1), { status: 'resolved', resolution: 'deleted' });
});

t.test('a check has to pass again after its fix was undone, or the site was connected again', async (t) => {
  const { app, plugin, says } = await setUp(t);
  await says({ status: 'passing', applied: true });
  await says({ status: 'failing', applied: true });
  await says({ status: 'failing', applied: true });
  const queued = await app.request<{ id: string }>('POST', `${PATH}/${plugin.siteId}/undo/xmlrpc`);
  t.equal(queued.status, 202);
  await says({ status: 'failing', applied: true });
  const checks = [{ id: 'xmlrpc', status: 'failing', evidence: 'open', applied: false }];
  await plugin.poll({ checks, results: [{ job_id: queued.body.data.id, outcome: 'applied', error: '' }] });
  t.match(await app.incidents(), [{ status: 'resolved', resolution: 'undone' }]);
  await says({ status: 'failing' });
  await says({ status: 'failing' });
  t.equal((await app.incidents()).length, 1, 'a person wanted it');
  await says({ status: 'passing' });
  await says({ status: 'failing' });
  await says({ status: 'failing' });
  t.equal((await app.incidents()).length, 2);
});

t.test('an incident that a person resolves does not open again until the check has passed', async (t) => {
  const { app, says } = await setUp(t);
  await says({ status: 'passing' });
  await says({ status: 'failing' });
  await says({ status: 'failing' });
  const [incident] = await app.incidents();
  t.equal((await app.request('POST', `/v1/alerts/${incident?._id}/resolve`)).status, 200);
  await says({ status: 'failing' });
  await app.sweep();
  t.equal((await app.incidents()).length, 1);
  await says({ status: 'passing' });
  await says({ status: 'failing' });
  await says({ status: 'failing' });
  t.equal((await app.incidents()).length, 2);
});

t.test('the sweep opens the incident that a rule lacked, and resolves what has ended', async (t) => {
  const { app, plugin, says } = await setUp(t);
  const rules = await app.request<{ id: string }[]>('GET', '/v1/alert-rules');
  t.match(rules.body.data, [{ name: 'WordPress check failed', type: 'wordpress_check_failed', enabled: true }]);
  t.equal((await app.request('DELETE', `/v1/alert-rules/${rules.body.data[0]?.id}`)).status, 204);
  await says({ status: 'passing' });
  await says({ status: 'failing' });
  await says({ status: 'failing' });
  await app.sweep();
  t.strictSame(await app.incidents(), [], 'without a rule there is no incident');
  const body = { name: 'Sites', type: 'wordpress_check_failed', severity: 'critical' };
  t.equal((await app.request('POST', '/v1/alert-rules', { body })).status, 201);
  await app.sweep();
  t.match(await app.incidents(), [{ status: 'firing', severity: 'critical' }]);
  // As a crash between the measurement and the incident would leave it.
  const change = { $set: { troubles: [], 'watches.xmlrpc': { passed_at_ms: START_MS, failing: null } } };
  await app.parts.mongo.db.collection('wp_sites').updateOne({ _id: plugin.siteId as never }, change);
  const second = { name: 'Sites too', type: 'wordpress_check_failed' };
  t.equal((await app.request('POST', '/v1/alert-rules', { body: second })).status, 201, 'makes the sweep due');
  await app.sweep();
  t.match(await app.incidents(), [{ status: 'resolved', resolution: 'recovered' }]);
});

async function storedSite({ parts }: WordpressApp, { siteId }: TestPlugin): Promise<Record<string, number>> {
  return (await parts.mongo.db.collection('wp_sites').findOne({ _id: siteId as never })) as never;
}
