// Measures an outage of all monitors: the time until each has its incident, the rate of notifications, and the time
// until each incident is resolved after the monitors recover. The whole product runs, except that five simulated probes deliver the failures as fast as the control plane accepts them.
//   node --import tsx scripts/with-mongod.ts node --import tsx bench/mass-outage.ts
import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabase } from '../test/helpers/database.js';
import { startProduct } from '../test/helpers/processes/product.js';
import { waitFor } from '../test/helpers/wait.js';
import { type FakeProbe, startFakeProbe } from './fixtures/fake-probe.js';
import { printFigure, round } from './fixtures/figures.js';
import { createMonitors, startWebhookTarget } from './fixtures/fleet.js';
import { cpuMeter, pidOnPort, rssMib } from './fixtures/processes.js';
import { benchSetting } from './fixtures/settings.js';

const MONITORS = benchSetting('MONITORS', 10_000);
const CHANNELS = benchSetting('CHANNELS', 3);
const LOCATIONS = ['fra', 'nyc', 'sin', 'lon', 'sfo'];
const INTERVAL_SECONDS = 300;
const OPEN_SECONDS_MAX = 30;
const RESOLVE_SECONDS_MAX = 30;
/** Failures that began within the last minute can quarantine the locations that recover last. */
const RECOVERY_AFTER_MS = 65_000;
const PER_SECOND_MIN = 500;
const GIVE_UP_MS = 900_000;
const SAMPLES = 100;

const database = await testDatabase();
const target = await startWebhookTarget();
const product = await startProduct({ PICKET_LOCATIONS: '', PICKET_MONGODB_URI: database.uri });
const probes: FakeProbe[] = [];
try {
  for (const location of LOCATIONS) probes.push(await startFakeProbe(product, location));
  const settings = {
    url: (index: number) => `http://127.0.0.1:9/${index}`,
    intervalSeconds: INTERVAL_SECONDS,
    retries: 0,
  };
  await createMonitors(product, MONITORS, settings);
  for (let index = 0; index < CHANNELS; index++) {
    const config = { url: `http://127.0.0.1:${target.port}/${index}` };
    await product.api('POST', '/v1/channels', { type: 'webhook', name: `hook ${index}`, config });
  }
  await waitFor('assignments', 60_000, () => probes.every((probe) => probe.assigned() === MONITORS));
  const monitorIds = await database.db.collection<{ _id: string }>('monitors').distinct('_id', {});
  await Promise.all(probes.map((probe) => probe.deliver(results(monitorIds, null))));

  const meter = await cpuMeter({
    control_plane: await product.pid('control-plane'),
    mongod: await pidOnPort('mongod', database.client.options.hosts[0]?.port ?? 0),
  });
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  const delivered = Promise.all(probes.map((probe) => probe.deliver(results(monitorIds, 'connection_refused'))));
  const acknowledged = delivered.then(seconds);
  const incidents = database.db.collection('incidents');
  await waitFor('incidents', GIVE_UP_MS, async () => (await incidents.estimatedDocumentCount()) >= MONITORS);
  const [openSeconds, openCpu, notifiedWhenOpen] = [seconds(), await meter.read(), (await target.seen()).notifications];
  await waitFor('notifications', GIVE_UP_MS, async () => (await target.seen()).notifications >= MONITORS * CHANNELS);
  const [notifiedSeconds, notifiedCpu, seen] = [seconds(), await meter.read(), await target.seen()];
  const acknowledgedSeconds = await acknowledged;

  const cores = (from: Record<string, number>, to: Record<string, number>, over: number) =>
    Object.fromEntries(Object.keys(to).map((name) => [name, round(((to[name] ?? 0) - (from[name] ?? 0)) / over, 2)]));
  printFigure({
    name: 'mass outage: all incidents open',
    value: openSeconds,
    unit: 's',
    limit: OPEN_SECONDS_MAX,
    atMost: true,
    monitors: MONITORS,
    locations: LOCATIONS.length,
    results_acknowledged_after: round(acknowledgedSeconds, 1),
    told_meanwhile: notifiedWhenOpen,
    cores: cores({}, openCpu, openSeconds),
    cpu_seconds: openCpu,
  });
  const drainSeconds = notifiedSeconds - openSeconds;
  printFigure({
    name: 'mass outage: notifications to webhooks',
    value: (MONITORS * CHANNELS - notifiedWhenOpen) / drainSeconds,
    unit: 'per second',
    limit: PER_SECOND_MIN,
    atMost: false,
    channels: CHANNELS,
    all_told_after: round(notifiedSeconds, 1),
    cores: cores(openCpu, notifiedCpu, drainSeconds),
    told_twice: seen.requests - seen.notifications,
    incomplete: await incomplete(),
    control_plane_mib: round(await rssMib(await product.pid('control-plane')), 0),
  });

  await sleep(RECOVERY_AFTER_MS);
  const goodRound = () => Promise.all(probes.map((probe) => probe.deliver(results(monitorIds, null))));
  await goodRound();
  const down = { 'state.status': 'down', 'state.recovering_since_ms': null };
  const monitors = database.db.collection('monitors');
  await waitFor('recovering monitors', GIVE_UP_MS, async () => (await monitors.findOne(down)) === null, 500);
  const [recoveredAt, beforeCpu] = [performance.now(), await meter.read()];
  await goodRound();
  const unresolved = { kind: 'monitor', open: true };
  await waitFor('resolved incidents', GIVE_UP_MS, async () => (await incidents.findOne(unresolved)) === null);
  const [resolveSeconds, resolvedCpu] = [(performance.now() - recoveredAt) / 1_000, await meter.read()];
  const audit = database.db.collection('audit_log');
  const resolvedEntries = { action: 'alert.resolved' };
  printFigure({
    name: 'mass outage: all incidents resolved after the second good round',
    value: resolveSeconds,
    unit: 's',
    limit: RESOLVE_SECONDS_MAX,
    atMost: true,
    cores: cores(beforeCpu, resolvedCpu, resolveSeconds),
    cpu_seconds: cores(beforeCpu, resolvedCpu, 1),
    audit_entries: await audit.countDocuments(resolvedEntries),
    unsealed: await audit.countDocuments({ ...resolvedEntries, unsealed: true }),
  });
} finally {
  for (const probe of probes) probe.close();
  await product.remove();
  target.stop();
  await database.drop();
}

/** Returns one result of each monitor, checked now: a success, or a final failure. */
function* results(monitorIds: readonly string[], errorCode: string | null) {
  for (const monitorId of monitorIds) {
    const checkedAtMs = Date.now();
    yield {
      monitorId,
      monitorVersion: 1,
      slotMs: checkedAtMs,
      checkedAtMs,
      attempt: 0,
      final: true,
      reason: 'schedule',
      up: errorCode === null,
      responseTimeMs: 20,
      errorCode: errorCode ?? '',
      errorMessage: errorCode === null ? '' : 'connect ECONNREFUSED 127.0.0.1:9',
    };
  }
}

/** Returns how many of a sample of the incidents do not show a sent notification for every channel. */
async function incomplete(): Promise<number> {
  // The last webhooks have arrived, but their results are still being stored.
  await sleep(2_000);
  const { body } = await product.api('GET', `/v1/alerts?limit=${SAMPLES}`);
  const sentCount = (alert: { notifications_sent: { status: string }[] }) =>
    alert.notifications_sent.filter(({ status }) => status === 'sent').length;
  return body.data.filter((alert: { notifications_sent: { status: string }[] }) => sentCount(alert) !== CHANNELS)
    .length;
}
