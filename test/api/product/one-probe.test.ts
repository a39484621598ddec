import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import type { TimelineLine } from '../../../control-plane/timeline/schema.js';
import { testDatabase } from '../../helpers/database.js';
import { enrolNode } from '../../helpers/node-link/fake-node.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { buildMonitor, checkResult } from '../../helpers/results/history.js';
import { waitFor } from '../../helpers/wait.js';

/** The whole control plane with one probe, of Frankfurt, whose results the test makes. */
const mongo = await testDatabase();
const monitors = mongo.db.collection<MonitorDocument>('monitors');
/** As versions stored it that sealed nothing. */
const earlier = buildMonitor({ url: 'https://us3r-secret:p4ss-secret@shop.example.com/', locations: ['lon'] });
await monitors.insertOne(earlier);
const controlPlane = await startControlPlane(mongo.uri);
const { token } = (await controlPlane.api('POST', '/v1/admin/probes/join-tokens', { location: 'fra' })).body.data;
const node = await enrolNode(token);
const settings = { name: 'Shop', type: 'http', url: 'https://shop.example.com/', locations: ['fra', 'nyc'] };
const { id } = (await controlPlane.api('POST', '/v1/monitors', settings)).body.data;
const monitor = async () => (await controlPlane.api('GET', `/v1/monitors/${id}`)).body.data;
const statuses = async () =>
  (await monitor()).location_status.map((one: { location: string; status: string }) => [one.location, one.status]);
t.teardown(async () => {
  node.close();
  await controlPlane.remove();
  await mongo.drop();
});

t.test('a start seals the secrets of monitors that an earlier version stored', async (t) => {
  const stored = await monitors.findOne({ _id: earlier._id });
  t.match(stored, { url: 'https://***@shop.example.com/', sealed: String });
});

t.test('a monitor shows which of its locations have no probe', async (t) => {
  t.same(await statuses(), [
    ['fra', 'no_probe'],
    ['nyc', 'no_probe'],
  ]);
});

t.test(
  'what a probe delivers is on the monitor and the timeline, and what cannot be stored is set aside',
  async (t) => {
    const stream = await node.connect();
    t.teardown(() => stream.end());
    await waitFor('its assignment', 30_000, () => stream.assignments.has(id));
    let slotMs = Date.now() - 30_000;
    const deliver = (over: object) => {
      slotMs += 1_000;
      return stream.results([checkResult({ monitorId: id, slotMs, ...over })]);
    };
    const certificate = (issuer: string, digit: string) => ({
      ...{ grade: 'A', notAfterMs: Date.UTC(2040, 0, 1), issuer, subject: 'shop.example.com' },
      fingerprint: digit.repeat(64),
    });
    for (const one of [certificate('Old CA', 'a'), certificate('New CA', 'b')]) {
      t.same((await deliver({ certificate: one })).rejections, []);
    }
    t.same(await statuses(), [
      ['fra', 'up'],
      ['nyc', 'no_probe'],
    ]);
    const timeline = await controlPlane.api('GET', `/v1/timeline?resource_id=${id}`);
    t.match(
      timeline.body.data.filter((line: TimelineLine) => line.type === 'certificate.changed'),
      [{ metadata: { from: { issuer: 'Old CA' }, to: { issuer: 'New CA' } } }],
    );

    await mongo.db.command({ collMod: 'results', validator: { http_status: { $ne: 666 } } });
    t.same((await deliver({ httpStatus: 666 })).rejections, [], 'the probe need not send it again');
    await mongo.db.command({ collMod: 'results', validator: {} });
    t.match(await mongo.db.collection('refused_records').find().toArray(), [{ collection: 'results' }]);
    const metrics = await (await fetch(`${controlPlane.url}/metrics`)).text();
    t.match(metrics, /^picket_records_refused_total\{collection="results"\} 1$/m);
  },
);

t.test('the uptime in a response is completed up to the response', async (t) => {
  const DAY_MS = 86_400_000;
  const sums = { observed_ms: DAY_MS, up_ms: DAY_MS, leaving: { observed: 1, up: 1 } };
  const window = { uptime: 1, coverage: 1, sums };
  const uptime = { computed_at_ms: Date.now() - 60_000, day: window, week: window, month: window };
  await monitors.updateOne({ _id: id }, { $set: { uptime } });
  const { uptime_24h, coverage_24h } = await monitor();
  t.not(uptime_24h, 1);
  t.not(coverage_24h, 1);
});

t.test('a probe delivers only what it was assigned, and nothing of the future', async (t) => {
  const stream = await node.connect();
  t.teardown(() => stream.end());
  await waitFor('its assignment', 30_000, () => stream.assignments.has(id));
  const reasonOf = async (slotMs: number) => {
    const { rejections } = await stream.results([checkResult({ monitorId: id, slotMs, checkedAtMs: Date.now() })]);
    return rejections.map(({ reason }) => reason);
  };
  t.same(await reasonOf(Date.now() - 600_000), ['not assigned to this probe'], 'before it was enrolled');
  t.same(await reasonOf(Date.now() + 290_000), ['slot_ms is in the future']);
  const metrics = await (await fetch(`${controlPlane.url}/metrics`)).text();
  for (const reason of ['not_assigned', 'slot_ahead']) {
    t.match(metrics, new RegExp(`^picket_results_refused_total\\{reason="${reason}"\\} 1$`, 'm'));
  }
});

t.test('a new credential of the probe is in the audit log of the operators', async (t) => {
  await node.rotate();
  const { body } = await controlPlane.api('GET', '/api/v1/audit-logs?action=integration.credential_rotated');
  t.match(body.data, [{ severity: 'info', actor: { email: 'system' }, resource: { type: 'probe', id: node.id } }]);
});

t.test('a control plane that could not run counts it', async () => {
  process.kill(controlPlane.pid, 'SIGSTOP');
  // The pause is what is tested.
  await sleep(1_500);
  process.kill(controlPlane.pid, 'SIGCONT');
  await waitFor('the stall on /metrics', 30_000, async () => {
    const metrics = await (await fetch(`${controlPlane.url}/metrics`)).text();
    return /^picket_control_plane_stalls_total [1-9]/m.test(metrics);
  });
  await waitFor('the log line', 30_000, () => /this control plane could not run/.test(controlPlane.output()));
});
