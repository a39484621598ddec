import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { nudgedSignature } from '../../../control-plane/wordpress/protocol/signature.js';
import { systemClock } from '../../../kernel/clock.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { WORKING } from '../../helpers/standing.js';
import { waitFor } from '../../helpers/wait.js';
import { connectPlugin, measured, startWordpressApp, type TestPlugin } from '../../helpers/wordpress/app.js';
import { PATH } from '../../helpers/wordpress/plane.js';

const WAIT_MS_MAX = 60_000;
const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
/** A plugin causes at most one look in this time. */
const LOOK_PAUSE_MS = 10 * SECOND_MS;

interface Visit {
  site: string;
  kind: 'nudge' | 'undo' | 'look';
}

interface Sites {
  visits: Visit[];
  /** Whether XML-RPC answers. */
  isOpen: boolean;
  /** Whether nothing but the must-use plugin answers. */
  isFatal: boolean;
  /** Whether the home page redirects to itself in a look, although a single request is redirected to HTTPS. */
  isCircle: boolean;
  /** Before the answer. */
  onNudge(visit: Visit): Promise<void>;
}

const asNew = (): Sites => ({ visits: [], isOpen: true, isFatal: false, isCircle: false, onNudge: async () => {} });
const sites = asNew();
const secrets = new Map<string, string>();

/** All sites, each in a folder of its own. */
const server = createServer(async (request, response) => {
  const [, site = '', file = ''] = (request.url ?? '').split('/');
  const body = await text(request);
  const isNudge = file.startsWith('?rest_route=');
  const { site_id: siteId, nonce, undo = false } = isNudge ? JSON.parse(body) : {};
  const visit: Visit = { site, kind: !isNudge ? 'look' : undo ? 'undo' : 'nudge' };
  sites.visits.push(visit);
  if (sites.isFatal && visit.kind !== 'undo') {
    response.writeHead(500).end('There has been a critical error on this website.');
    return;
  }
  if (visit.kind === 'look') {
    if (sites.isCircle && ['', 'wp-login.php'].includes(file)) {
      // The first request of a look opens the home page; those that follow no redirect come later.
      const isFirst = sites.visits.filter((one) => one.site === site && one.kind === 'look').length <= 2;
      const to = isFirst ? `http://127.0.0.1:${port}/${site}/` : `https://127.0.0.1/${site}/`;
      response.writeHead(301, { location: to }).end();
      return;
    }
    const isOpen = sites.isOpen && file.startsWith('xmlrpc.php');
    response.writeHead(isOpen ? 200 : 403).end(isOpen ? '<methodResponse>' : 'closed');
    return;
  }
  await sites.onNudge(visit);
  response.end(JSON.stringify({ answer: nudgedSignature(secrets.get(siteId) ?? '', { siteId, nonce }) }));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;

const ahead = { ms: 0 };
const now = () => systemClock.now() + ahead.ms;
const standings = new Map<string, typeof WORKING | null>();
const app = await startWordpressApp({
  clock: { ...systemClock, now },
  standingOf: async (id) => (standings.has(id) ? (standings.get(id) ?? null) : WORKING),
});
t.teardown(async () => {
  server.close();
  await app.stop();
});

t.test('a nudge after which a job is not done is repeated soon', async (t) => {
  const plugin = await connected('waits');
  await runJobs(t);
  await waitFor('the first nudge', WAIT_MS_MAX, async () => (await stored(plugin))['proven_at_ms'] !== null);
  t.match(await nudges(plugin, 0), { nextMs: 6 * HOUR_MS });
  ahead.ms += SECOND_MS;
  const { body } = await app.request<{ id: string }>('POST', `${PATH}/${plugin.siteId}/harden/xmlrpc`);
  const unserved = await nudges(plugin, 1);
  t.equal(unserved.nextMs, 10 * SECOND_MS, 'the site has answered, and not fetched the job');
  sites.onNudge = async () => {
    await plugin.poll();
  };
  ahead.ms += 10 * SECOND_MS;
  const begun = await nudges(plugin, 2);
  t.equal(begun.nextMs, 60 * SECOND_MS, 'it has, but whatever does the job may have been killed');
  sites.onNudge = async () => {
    await plugin.poll({ results: [{ job_id: body.data.id, outcome: 'failed', error: 'the file is a link' }] });
  };
  ahead.ms += 60 * SECOND_MS;
  t.match(await nudges(plugin, 0), { nextMs: 6 * HOUR_MS }, 'now its result is known');
});

t.test('a site that is fatal on every request undoes before plugins and theme, and is looked at', async (t) => {
  const plugin = await connected('fatal');
  await plugin.poll({ checks: [measured('passing', true), { ...measured('failing'), id: 'file-editor' }] });
  sites.isFatal = true;
  await app.request('POST', `${PATH}/${plugin.siteId}/harden/file-editor`);
  const undo = await app.request<{ id: string }>('POST', `${PATH}/${plugin.siteId}/undo/xmlrpc`);
  const job = async () => {
    const { body } = await app.request<Job[]>('GET', `${PATH}/sites/${plugin.siteId}/jobs`);
    return body.data.find(({ id }) => id === undo.body.data.id) as Job;
  };
  const fetched: unknown[] = [];
  sites.onNudge = async ({ kind }) => {
    if (kind !== 'undo') return;
    const { jobs } = await plugin.poll({ before_plugins: true });
    fetched.push(...jobs);
    const results = jobs.map(({ id }) => ({ job_id: id, outcome: 'applied', error: '' }));
    await plugin.poll({ before_plugins: true, results, checks: [measured('unknown', false)] });
  };
  await runJobs(t);
  await waitFor('the undoing', WAIT_MS_MAX, async () => (await job()).status === 'applied');
  t.match(fetched, [{ kind: 'undo', check: 'xmlrpc' }], 'a fix waits for a site that can be tested');
  t.match(await job(), { status: 'applied', before_plugins: true, ended_at: null }, 'the plugin alone cannot say more');
  // The site has not proved before that it is the connected one.
  ahead.ms += 6 * LOOK_PAUSE_MS + SECOND_MS;
  await waitFor('the end of the job', WAIT_MS_MAX, async () => (await job()).ended_at !== null);
  t.match(await job(), {
    status: 'failed',
    error: 'The fix was undone, but something else breaks the site: the home page answers with HTTP 500',
  });
  const { body: site } = await app.request('GET', `${PATH}/sites/${plugin.siteId}`);
  t.match(site.data, { home: { status: 'failing' }, checks: [{ id: 'xmlrpc', status: 'unknown', applied: false }] });
});

t.test('what is open from outside fails until a look says otherwise', async (t) => {
  const plugin = await connected('open');
  await runJobs(t);
  const check = async () => {
    const { body } = await app.request<{ checks: Check[] }>('GET', `${PATH}/sites/${plugin.siteId}`);
    return body.data.checks[0] as Check;
  };
  const lookedAt = async (afterMs: number) =>
    waitFor('a look', WAIT_MS_MAX, async () => {
      const { outside } = await check();
      return outside !== null && Date.parse(outside.at) >= afterMs ? outside : null;
    });
  await lookedAt(0);
  ahead.ms += LOOK_PAUSE_MS;
  const sinceMs = now();
  await plugin.poll({ checks: [measured('passing')] });
  await lookedAt(sinceMs);
  ahead.ms += LOOK_PAUSE_MS;
  await plugin.poll({ checks: [measured('passing')] });
  t.match(await check(), { status: 'failing', evidence: /^Seen from outside/ }, 'whatever the plugin says later');
  sites.isOpen = false;
  ahead.ms += LOOK_PAUSE_MS;
  await plugin.poll({ checks: [measured('failing')] });
  await plugin.poll({ checks: [measured('passing')] });
  await waitFor('the proof', WAIT_MS_MAX, async () => (await check()).status === 'passing');
  t.match(await check(), { outside: { status: 'passing' } }, 'somebody has closed it, and Picket looks at once');
});

t.test('a plugin whose readings change all the time causes a look in ten seconds', async (t) => {
  const plugin = await connected('restless');
  for (const job of app.jobs) await job.start();
  await waitFor(
    'the beginning of a look',
    WAIT_MS_MAX,
    async () => (await stored(plugin))['looked_at_ms'] !== undefined,
  );
  for (const job of app.jobs) await job.stop();
  const lookedMs = now() + HOUR_MS;
  /** When the next look is due after a job has ended, from the beginning of the last one. */
  const dueAfter = async (provenMs: number | null) => {
    const set = { looked_at_ms: lookedMs, proven_at_ms: provenMs };
    await app.parts.mongo.db.collection('wp_sites').updateOne({ _id: plugin.siteId as never }, { $set: set });
    const { body } = await app.request<{ id: string }>('POST', `${PATH}/${plugin.siteId}/harden/xmlrpc`);
    await plugin.poll();
    await plugin.poll({ results: [{ job_id: body.data.id, outcome: 'applied', error: '' }] });
    return ((await stored(plugin))['look_at_ms'] ?? 0) - lookedMs;
  };
  t.equal(await dueAfter(lookedMs), LOOK_PAUSE_MS);
  await app.parts.mongo.db.collection('wp_jobs').deleteMany({});
  t.equal(await dueAfter(null), 6 * LOOK_PAUSE_MS, 'a site that has not proved to be the connected one');
});

t.test('a fix that cannot be seen from outside is verified by the plugin alone', async (t) => {
  const plugin = await connected('inside');
  await runJobs(t);
  const { body } = await app.request<{ id: string }>('POST', `${PATH}/${plugin.siteId}/harden/file-editor`);
  await plugin.poll();
  ahead.ms += SECOND_MS;
  const check = { id: 'file-editor', status: 'passing', evidence: 'nobody may', applied: true };
  await plugin.poll({ checks: [check], results: [{ job_id: body.data.id, outcome: 'applied', error: '' }] });
  const job = async () => {
    const { body: jobs } = await app.request<{ status: string }[]>('GET', `${PATH}/sites/${plugin.siteId}/jobs`);
    return jobs.data[0]?.status === 'verified';
  };
  await waitFor('the end of the job', WAIT_MS_MAX, job);
  const { body: site } = await app.request<{ checks: Check[] }>('GET', `${PATH}/sites/${plugin.siteId}`);
  t.match(site.data.checks[4], { id: 'file-editor', status: 'passing', outside: null });
  t.match(site.data.checks[0], { outside: { status: 'failing' } }, 'the others were looked at');
});

t.test('a fix whose redirects go in a circle for visitors is undone at once, and the job says why', async (t) => {
  const plugin = await connected('circle');
  sites.isCircle = true;
  const { body } = await app.request<{ id: string }>('POST', `${PATH}/${plugin.siteId}/harden/force-https`);
  await plugin.poll();
  const check = { id: 'force-https', status: 'passing', evidence: 'redirects to HTTPS', applied: true };
  await plugin.poll({ checks: [check], results: [{ job_id: body.data.id, outcome: 'applied', error: '' }] });
  ahead.ms += SECOND_MS;
  await runJobs(t);
  const jobs = async () => (await app.request<JobView[]>('GET', `${PATH}/sites/${plugin.siteId}/jobs`)).body.data;
  await waitFor('the undo', WAIT_MS_MAX, async () => (await jobs()).length === 2);
  const [undo, fix] = await jobs();
  t.match(fix, { status: 'failed', error: /home page go in a circle: Picket undoes it\.$/ });
  t.match(undo, { kind: 'undo', check: 'force-https' });
  const { jobs: delivered } = await plugin.poll();
  t.match(delivered, [{ kind: 'undo', check: 'force-https' }]);
});

t.test('a site of a workspace that is stopped or deleted is left alone', async (t) => {
  const stopped = await elsewhere({ ...WORKING, stopped: true });
  const deleted = await elsewhere(null);
  const plugins = [await connected('stopped', stopped.key), await connected('deleted', deleted.key)];
  await runJobs(t);
  for (const plugin of plugins) {
    await waitFor('the turn of the site', WAIT_MS_MAX, async () => {
      const { look_at_ms = 0, nudge_at_ms = 0 } = await stored(plugin);
      return look_at_ms > now() && nudge_at_ms > now();
    });
  }
  t.same(sites.visits, []);
});

t.test('slow sites of a workspace do not hold up those of others', async (t) => {
  for (let n = 0; n < 8; n++) await connected(`slow-${n}`);
  const { key } = await elsewhere(WORKING);
  await connected('quick', key);
  const held: (() => void)[] = [];
  sites.onNudge = ({ site }) =>
    site === 'quick' ? Promise.resolve() : new Promise((resolve) => held.push(() => resolve()));
  t.teardown(() => {
    for (const release of held) release();
  });
  await runJobs(t);
  const seen = (kind: Visit['kind']) =>
    new Set(sites.visits.filter((one) => one.kind === kind).map(({ site }) => site));
  await waitFor('the nudge of the other workspace', WAIT_MS_MAX, () => seen('nudge').has('quick'));
  await waitFor('the looks', WAIT_MS_MAX, () => seen('look').size === 9);
  await waitFor('the nudges', WAIT_MS_MAX, () => held.length >= 4);
  t.equal(held.length, 4, 'four nudges of the workspace are under way, and no look waits for them');
});

interface Job {
  id: string;
  status: string;
  ended_at: string | null;
}

interface JobView {
  kind: string;
  check: string;
  status: string;
  error: string | null;
}

interface Check {
  status: string;
  evidence: string;
  outside: { at: string; status: string } | null;
}

/** Connects a site whose address is answered. */
async function connected(name: string, key = app.key): Promise<TestPlugin> {
  const plugin = await connectPlugin(app, `http://127.0.0.1:${port}/${name}`, key);
  secrets.set(plugin.siteId, plugin.secret);
  return plugin;
}

/** Another workspace with this standing. */
async function elsewhere(standing: typeof WORKING | null): Promise<{ key: string }> {
  const workspace = await buildWorkspace(app.parts.mongo);
  standings.set(workspace.id, standing);
  return buildKey(app.parts.mongo, workspace);
}

/** Visits sites until the end of the test, and deletes them then. */
async function runJobs(t: { teardown(run: () => unknown): void }): Promise<void> {
  for (const job of app.jobs) await job.start();
  t.teardown(async () => {
    for (const job of app.jobs) await job.stop();
    await app.parts.mongo.db.collection('wp_sites').deleteMany({});
    Object.assign(sites, asNew());
  });
}

async function stored({ siteId }: TestPlugin): Promise<Record<string, number>> {
  return (await app.parts.mongo.db.collection('wp_sites').findOne({ _id: siteId as never })) as never;
}

/** Resolves to how long after the last nudge the next is due, once so many had no effect. */
async function nudges(plugin: TestPlugin, failed: number): Promise<{ nextMs: number }> {
  return waitFor(`${failed} nudges without effect`, WAIT_MS_MAX, async () => {
    const { nudges_failed = 0, nudge_at_ms = 0, proven_at_ms = 0 } = await stored(plugin);
    return nudges_failed === failed && { nextMs: nudge_at_ms - proven_at_ms };
  });
}
