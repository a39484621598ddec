import t, { type Test } from 'tap';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { testDatabase } from '../../helpers/database.js';
import { LOCATIONS, liveResult, OPERATORS, setUpVerdicts, type VerdictSetup } from '../../helpers/verdicts/setup.js';

const MINUTE = 60_000;
const SUBSETS = Array.from({ length: 2 ** LOCATIONS.length }, (_, bits) =>
  LOCATIONS.filter((_code, index) => bits & (1 << index)),
);

const database = await testDatabase();
t.teardown(() => database.drop());
const first = await setUpVerdicts(database.uri);
await first.ensureIndexes();
await first.stop();

/** A control plane that has just started, on a database without anything else. */
async function world(t: Test, monitors: number, locations = LOCATIONS): Promise<{ it: VerdictSetup; ids: string[] }> {
  for (const { name } of await database.db.listCollections().toArray())
    await database.db.collection(name).deleteMany({});
  const it = await setUpVerdicts(database.uri);
  t.teardown(() => it.stop());
  const ids = Array.from({ length: monitors }, (_, index) => `mon_${String(index).padStart(2, '0')}`);
  for (const id of ids) {
    const live = Object.fromEntries(locations.map((code) => [code, liveResult(true, it.clock.now())]));
    await it.insert({ _id: id, live, locations });
  }
  const assigned = ids.map((monitorId) => ({ monitorId, intervalSeconds: 60 }));
  for (const code of LOCATIONS) it.assigned.set(code, locations.includes(code) ? assigned : []);
  await it.clock.advance(MINUTE);
  return { it, ids };
}

/** Checks every monitor from every location, a second later where it works; then some seconds pass. */
async function round(it: VerdictSetup, ids: readonly string[], fails: (code: string, index: number) => boolean) {
  const check = async (up: boolean) => {
    const monitors = it.mongo.db.collection<MonitorDocument>('monitors');
    const { locations } = await it.monitor(ids[0] ?? '');
    for (const code of locations) {
      const checked = ids.filter((_id, index) => fails(code, index) !== up);
      const live = liveResult(up, it.clock.now());
      await monitors.updateMany({ _id: { $in: checked } }, { $set: { [`live.${code}`]: live } });
      await it.evaluator.evaluate(checked);
    }
    await it.clock.advance(1_000);
  };
  await check(false);
  await check(true);
  for (let second = 0; second < 3; second++) {
    await it.clock.advance(1_000);
    await it.health.tick();
    await it.sweep.run();
  }
}

const quarantinedOf = (it: VerdictSetup) => it.health.quarantined().map(({ location }) => location);
const alertsOf = async (it: VerdictSetup) =>
  (await it.all()).filter((one) => one.workspace_id === OPERATORS && one.open).map((one) => one.subject);
const downOf = async (it: VerdictSetup) =>
  (await it.all()).filter((one) => one.workspace_id !== OPERATORS && one.open).map((one) => one.monitor_id);

for (const broken of SUBSETS) {
  t.test(`all monitors fail from ${broken.join(', ') || 'nowhere'} at once`, async (t) => {
    const { it, ids } = await world(t, 10);
    await round(it, ids, (code) => broken.includes(code));
    const isMinority = broken.length <= 2;
    t.same(quarantinedOf(it).sort(), isMinority ? [...broken].sort() : [], 'a minority is quarantined, or none');
    t.equal((await downOf(it)).length, isMinority ? 0 : ids.length, 'a majority takes the monitors down');
    const alerts = isMinority ? broken.map((code) => `quarantine:${code}`) : ['locations:broken'];
    // From everywhere, no other location disagrees: the targets are down, and every location works.
    t.same((await alertsOf(it)).sort(), broken.length === LOCATIONS.length ? [] : alerts.sort());
  });
}

t.test('each location fails for half of the monitors: none is quarantined, and one alert says so', async (t) => {
  const { it, ids } = await world(t, 40);
  const isHalf = (code: string, index: number) => (index * 7 + LOCATIONS.indexOf(code) * 3) % 10 < 5;
  await round(it, ids, isHalf);
  t.same(quarantinedOf(it), []);
  t.same(await alertsOf(it), ['locations:broken']);
  const [alert] = (await it.all()).filter((one) => one.subject === 'locations:broken');
  t.match(alert, { severity: 'critical', resource: { type: 'location', name: '5 of 5 locations' } });
  t.match(alert?.message, /^5 of 5 locations look broken \(fra, lon, nyc, sfo, sin\): .* quarantines none of them/);
  const failing = ids.filter((_, index) => LOCATIONS.filter((code) => isHalf(code, index)).length >= 3);
  t.ok(failing.length > 0 && failing.length < ids.length, `${failing.length} monitors fail from a majority`);
  t.same((await downOf(it)).sort(), failing, 'Picket is not blind');
});

t.test('locations that look broken one after the other do not hide each other', async (t) => {
  const { it, ids } = await world(t, 40);
  const isHalf = (code: string, index: number) => (index * 7 + LOCATIONS.indexOf(code) * 3) % 10 < 5;
  await round(it, ids, (code, index) => ['fra', 'nyc'].includes(code) && isHalf(code, index));
  t.same(quarantinedOf(it).sort(), ['fra', 'nyc']);
  await round(it, ids, isHalf);
  t.same(quarantinedOf(it), []);
  t.same(await alertsOf(it), ['locations:broken']);
});

t.test('the alert names locations that look broken later, once each', async (t) => {
  const { it, ids } = await world(t, 12);
  const majority = async () => (await it.all()).filter((one) => one.subject === 'locations:broken');
  await round(it, ids, (code) => ['fra', 'nyc', 'sin'].includes(code));
  const [before] = await majority();
  t.match(before?.message, /^3 of 5 locations look broken \(fra, nyc, sin\): /);
  await round(it, ids, (code) => ['fra', 'nyc', 'sin', 'lon'].includes(code));
  await round(it, ids, (code) => ['fra', 'nyc', 'sin', 'lon'].includes(code));
  const alerts = await majority();
  t.equal(alerts.length, 1, 'it is the same alert');
  t.match(alerts[0]?.message, /^4 of 5 locations look broken \(fra, lon, nyc, sin\): /);
  const events = alerts[0]?.events.map(({ type, message }) => ({ type, message })) ?? [];
  t.same(
    events.filter(({ type }) => type === 'severity_changed'),
    [{ type: 'severity_changed', message: 'Further locations look broken: lon.' }],
  );
});

t.test('a third broken location lifts the quarantine of the others, until two are left', async (t) => {
  const { it, ids } = await world(t, 12);
  await round(it, ids, (code) => ['fra', 'nyc'].includes(code));
  t.same(quarantinedOf(it).sort(), ['fra', 'nyc']);
  await round(it, ids, (code) => ['fra', 'nyc', 'sin'].includes(code));
  t.same(quarantinedOf(it), []);
  t.same(await alertsOf(it), ['locations:broken'], 'the alerts of both quarantines have ended');
  t.equal((await downOf(it)).length, ids.length, 'three of five locations decide again');
  const spans = it.mongo.db.collection('location_quarantine_spans');
  t.equal(await spans.countDocuments({ to_ms: null }), 0, 'uptime counts their checks again');

  await round(it, ids, (code) => ['fra', 'nyc'].includes(code));
  await it.clock.advance(MINUTE);
  await round(it, ids, (code) => ['fra', 'nyc'].includes(code));
  t.same(quarantinedOf(it).sort(), ['fra', 'nyc'], 'sin has worked for a minute');
  t.same((await alertsOf(it)).sort(), ['quarantine:fra', 'quarantine:nyc']);
  t.same(await downOf(it), [], 'the monitors are up from the other locations');
});

t.test('the locations of a monitor: half of them or more are never quarantined', async (t) => {
  const { it, ids } = await world(t, 12, ['fra', 'nyc']);
  await it.insert({ _id: 'mon_all', live: {} });
  await round(it, ids, (code) => code === 'nyc');
  t.same(quarantinedOf(it), ['nyc'], 'one of five locations');
  for (const code of LOCATIONS) await it.check('mon_all', code, code !== 'nyc');
  t.match(await it.monitor('mon_all'), { state: { status: 'up' } });
  t.same(await downOf(it), [], 'one of two locations is no majority');
  await round(it, ids, () => true);
  t.equal((await downOf(it)).length, ids.length, 'the vote of nyc counts, so an outage is detected');
  const [outage] = await it.all('mon_00');
  t.match(outage?.decision, {
    votes: [
      { location: 'fra', counted_as: 'down' },
      { location: 'nyc', counted_as: 'down' },
    ],
  });

  const { it: one, ids: touchy } = await world(t, 12, ['fra', 'nyc']);
  await one.mongo.db.collection('monitors').updateMany({}, { $set: { confirmations: 1 } });
  await round(one, touchy, (code, index) => code === 'nyc' && index < 10);
  t.same(quarantinedOf(one), ['nyc']);
  // Longer than a failure is doubted without a quarantine.
  await one.clock.advance(80_000);
  await round(one, touchy, (code) => code === 'nyc');
  t.same(await downOf(one), [], 'a quarantined location cannot decide alone while the other one reaches the target');
  await round(one, touchy, () => true);
  t.equal((await downOf(one)).length, touchy.length);
});
