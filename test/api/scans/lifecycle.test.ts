import t from 'tap';
import type { ScanWithFindings } from '../../../control-plane/scans/schema.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { startScansApp } from '../../helpers/scans/app.js';

const OVERDUE_MS = 10 * 60_000;
const app = await startScansApp({ ports: [] });
t.teardown(() => app.stop());
const token = await app.token();
const HOST = 'shop.example';
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
  await app.run();
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
  await app.request('DELETE', `/v1/scans/${first.body.data.id}`);
  await app.request('DELETE', `/v1/scans/${second.body.data.id}`, { key: other.key });
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
