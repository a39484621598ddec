import t from 'tap';
import type { ScanDocument } from '../../../control-plane/scans/documents.js';
import type { ScanWithFindings } from '../../../control-plane/scans/schema.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { startScansApp } from '../../helpers/scans/app.js';
import { waitFor } from '../../helpers/wait.js';

const OVERDUE_MS = 10 * 60_000;
const app = await startScansApp({ ports: [] });
t.teardown(() => app.stop());
const token = await app.token();
const HOST = 'shop.example';
const scans = app.mongo.db.collection<ScanDocument>('scans');
const statusIn = async (id: string) => (await scans.findOne({ _id: id }))?.status;
/** Forgets what has not ended. */
const endAll = () => scans.deleteMany({ open: true });
const start = async (monitorId: string, key?: string) =>
  app.request<ScanWithFindings>('POST', '/v1/scans', {
    body: { monitor_id: monitorId },
    ...(key === undefined ? {} : { key }),
  });

t.beforeEach(() => {
  app.zone.clear();
  app.zone.set(`_picket-scan.${HOST}`, { txt: [token] });
  app.probe.mode = 'killed';
});

t.test('a scan is refused without a website, while another one runs, and of monitors of others', async (t) => {
  const monitorId = await app.addMonitor(`https://user:***@${HOST}/path`);
  const ping = await app.addMonitor(HOST, { type: 'ping' });
  const foreign = await app.addMonitor(`https://${HOST}/`, { workspace_id: 'ws_other' });
  for (const id of [ping, foreign]) {
    const refused = await start(id);
    t.equal(refused.status, 422);
    t.match(refused.body, { errors: [{ path: '/monitor_id' }] });
  }
  const started = await start(monitorId);
  t.equal(started.status, 202);
  t.match(started.body.data, { status: 'queued', target: `https://${HOST}/`, score: null });
  const second = await start(await app.addMonitor(`https://${HOST}/other`));
  t.equal(second.status, 409);
  t.match(second.body.detail, started.body.data.id);
  t.equal((await app.request('DELETE', `/v1/scans/${started.body.data.id}`)).status, 204);
  t.equal((await app.request('GET', `/v1/scans/${started.body.data.id}`)).status, 404);
  const again = await start(monitorId);
  t.equal(again.status, 202, 'a deleted scan blocks none');
  const other = await buildKey(app.mongo, await buildWorkspace(app.mongo, { plan: 'Enterprise' }));
  const path = `/v1/scans/${again.body.data.id}`;
  t.equal((await app.request('GET', path, { key: other.key })).status, 404, 'of another workspace');
  t.equal((await app.request('DELETE', path, { key: other.key })).status, 404);
  const stale = await app.request('DELETE', path, { headers: { 'if-match': '"7"' } });
  t.equal(stale.status, 412);
  t.equal((await app.request('DELETE', path)).status, 204);
});

t.test('a scan of a website that shows no token reaches no probe', async (t) => {
  app.zone.set(`_picket-scan.${HOST}`, { txt: ['picket-scan=of-another-workspace'] });
  const asked = app.probe.tasks.length;
  const scan = await app.scan(await app.addMonitor(`https://${HOST}/`));
  t.match(scan, { status: 'failed', proof: null, error: { code: 'not_confirmed' } });
  t.match(scan.error?.message, /_picket-scan\.shop\.example/, 'it says what to publish');
  t.equal(app.probe.tasks.length, asked);
});

t.test('a scan whose probe was killed is given to a probe once more, and then fails', async (t) => {
  const started = await start(await app.addMonitor(`https://${HOST}/`));
  const { id } = started.body.data;
  await app.run();
  t.match(await app.read(id), { status: 'running', location: 'fra', proof: 'dns' });
  await app.run();
  t.equal(app.probe.tasks.filter(({ scanId }) => scanId === id).length, 1, 'not given twice while it runs');
  await app.clock.advance(OVERDUE_MS);
  await app.run();
  t.equal((await app.read(id)).status, 'queued');
  await app.clock.advance(60_000);
  app.probe.probes = 2;
  t.teardown(() => {
    app.probe.probes = 1;
  });
  await app.run();
  t.equal(new Set(app.probe.asked.slice(-2)).size, 2, 'another probe gets it');
  t.strictSame(
    app.probe.tasks.filter(({ scanId }) => scanId === id).map(({ attempt }) => attempt),
    [1, 2],
  );
  app.probe.deliver({ scanId: id, attempt: 1, errorCode: 'dns_failure', errorMessage: 'late' });
  await app.run();
  t.equal((await app.read(id)).status, 'running', 'the result of an attempt that was given up does not count');
  await app.clock.advance(OVERDUE_MS);
  await app.run();
  t.match(await app.read(id), { status: 'failed', error: { code: 'no_result' } });
});

t.test('a scan that no probe can run fails', async (t) => {
  app.probe.mode = 'gone';
  const started = await start(await app.addMonitor(`https://${HOST}/`));
  await app.run();
  t.equal((await app.read(started.body.data.id)).status, 'queued');
  await app.clock.advance(OVERDUE_MS);
  await app.run();
  t.match(await app.read(started.body.data.id), { status: 'failed', error: { code: 'no_probe' } });
});

t.test('two workspaces do not scan a website at the same time', async (t) => {
  const workspace = await buildWorkspace(app.mongo, { plan: 'Enterprise' });
  const other = await buildKey(app.mongo, workspace);
  const confirmation = await app.request<{ token: string }>('GET', '/v1/scans/confirmation', { key: other.key });
  t.not(confirmation.body.data.token, token, 'each has a token of its own');
  app.zone.set(`_picket-scan.${HOST}`, { txt: [token, confirmation.body.data.token] });
  const first = await start(await app.addMonitor(`https://${HOST}/`));
  const foreign = await app.addMonitor(`https://${HOST}/`, { workspace_id: workspace.id });
  const second = await start(foreign, other.key);
  t.equal(second.status, 202);
  await app.run();
  const statusOf = async (id: string, key?: string) =>
    (await app.request<ScanWithFindings>('GET', `/v1/scans/${id}`, key === undefined ? {} : { key })).body.data.status;
  const statuses = [await statusOf(first.body.data.id), await statusOf(second.body.data.id, other.key)];
  t.strictSame(statuses.sort(), ['queued', 'running']);
  const waiting = await scans.findOne({ host: HOST, status: 'queued' });
  t.match(waiting, { attempts: 0, running_place: undefined }, 'it has used up no attempt and keeps no place');
  await app.run();
  await app.clock.advance(OVERDUE_MS);
  await endAll();
});

t.test('a running scan cannot be deleted, so its website is not scanned twice at a time', async (t) => {
  const { id } = (await start(await app.addMonitor(`https://${HOST}/`))).body.data;
  await app.run();
  const refused = await app.request('DELETE', `/v1/scans/${id}`);
  t.equal(refused.status, 409);
  t.equal(refused.body.code, 'conflict');
  app.probe.deliver({ scanId: id, attempt: 1, errorCode: 'dns_failure', errorMessage: 'gone' });
  await waitFor('the end of the scan', 60_000, async () => ((await app.read(id)).status === 'failed' ? true : null));
  t.equal((await app.request('DELETE', `/v1/scans/${id}`)).status, 204);
});

t.test('a workspace without proof does not hold the host of another one', async (t) => {
  const workspace = await buildWorkspace(app.mongo, { plan: 'Enterprise' });
  const other = await buildKey(app.mongo, workspace);
  const foreign = await start(await app.addMonitor(`https://${HOST}/`, { workspace_id: workspace.id }), other.key);
  const own = await start(await app.addMonitor(`https://${HOST}/`));
  await app.run();
  t.equal((await app.read(own.body.data.id)).status, 'running');
  t.equal(await statusIn(foreign.body.data.id), 'failed');
  await endAll();
});

t.test('scans that cannot start do not keep others from starting', async (t) => {
  const stopped = await buildWorkspace(app.mongo, { plan: 'Enterprise' });
  const other = await buildKey(app.mongo, stopped);
  app.stopped.add(stopped.id);
  for (let scan = 0; scan < 25; scan++) {
    await start(await app.addMonitor(`https://s${scan}.example/`, { workspace_id: stopped.id }), other.key);
  }
  const own = await start(await app.addMonitor(`https://${HOST}/`));
  await app.run();
  t.equal((await app.read(own.body.data.id)).status, 'running');
  const waiting = { workspace_id: stopped.id, next_at_ms: { $gt: app.clock.now() } };
  t.equal(await scans.countDocuments(waiting), 25, 'all of them are looked at later');
  app.stopped.clear();
  await endAll();
});

t.test('a workspace runs two scans at a time, a probe four, and workspaces take turns', async (t) => {
  const workspaces = await Promise.all([1, 2, 3].map(() => buildWorkspace(app.mongo, { plan: 'Enterprise' })));
  const asked = app.probe.tasks.length;
  for (const [place, workspace] of workspaces.entries()) {
    const { key } = await buildKey(app.mongo, workspace);
    const confirmation = await app.request<{ token: string }>('GET', '/v1/scans/confirmation', { key });
    for (let scan = 0; scan < 4; scan++) {
      const host = `w${place}-${scan}.example`;
      app.zone.set(`_picket-scan.${host}`, { txt: [confirmation.body.data.token] });
      const started = await start(await app.addMonitor(`https://${host}/`, { workspace_id: workspace.id }), key);
      t.equal(started.status, 202, started.text);
    }
  }
  const running = async () =>
    Promise.all(workspaces.map(({ id }) => scans.countDocuments({ workspace_id: id, status: 'running' })));
  await app.run();
  t.strictSame((await running()).sort(), [1, 1, 2], 'each workspace has its turn before one has a second');
  await app.run();
  t.equal(app.probe.tasks.length - asked, 4, 'the probe gets no more');
  app.probe.probes = 2;
  await app.clock.advance(5_000);
  await app.run();
  t.strictSame(await running(), [2, 2, 2], 'not even with a free probe');
  app.probe.probes = 1;
  const queued = scans.find({ workspace_id: { $in: workspaces.map(({ id }) => id) }, status: 'queued' });
  for (const { deadline_at_ms, created_at_ms } of await queued.toArray())
    t.ok(deadline_at_ms >= created_at_ms + OVERDUE_MS);
  await endAll();
});

t.test('a list has filters and pages, the newest first', async (t) => {
  const monitorId = await app.addMonitor(`https://list.example/`);
  const ids: string[] = [];
  for (let scan = 0; scan < 3; scan++) ids.push((await app.scan(monitorId)).id);
  const page = await app.request<ScanWithFindings[]>('GET', `/v1/scans?monitor_id=${monitorId}&limit=2`);
  t.strictSame(
    page.body.data.map(({ id }) => id),
    [ids[2], ids[1]],
  );
  const rest = await app.request<ScanWithFindings[]>(
    'GET',
    `/v1/scans?monitor_id=${monitorId}&limit=2&cursor=${page.body.next_cursor}`,
  );
  t.strictSame(
    rest.body.data.map(({ id }) => id),
    [ids[0]],
  );
  const completed = await app.request<ScanWithFindings[]>('GET', `/v1/scans?monitor_id=${monitorId}&status=completed`);
  t.strictSame(completed.body.data, []);
});
