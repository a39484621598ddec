import t, { type Test } from 'tap';
import { resolveIncident } from '../../../control-plane/incidents/manual.js';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { createQuarantineStore } from '../../../control-plane/verdicts/locations/quarantine-store.js';
import { testDatabase } from '../../helpers/database.js';
import {
  LOCATIONS,
  liveResult,
  OPERATORS,
  person,
  setUpVerdicts,
  type VerdictSetup,
} from '../../helpers/verdicts/setup.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

async function world(t: Test) {
  const database = await testDatabase();
  const it = await setUpVerdicts(database.uri);
  await it.ensureIndexes();
  t.teardown(async () => {
    await it.stop();
    await database.drop();
  });
  return { it, uri: database.uri };
}

/** Monitors that are up everywhere and that one location can take down. */
async function fleet(it: VerdictSetup, count: number, monitor: Partial<MonitorDocument> = {}): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) => `mon_${String(index).padStart(2, '0')}`);
  for (const id of ids) {
    const live = Object.fromEntries(LOCATIONS.map((code) => [code, liveResult(true, it.clock.now())]));
    await it.insert({ _id: id, live, confirmations: 1, ...monitor });
  }
  for (const code of LOCATIONS) {
    it.assigned.set(
      code,
      ids.map((monitorId) => ({ monitorId, intervalSeconds: 60 })),
    );
  }
  return ids;
}

/** Probes answer the requested checks. Those of a `broken` location fail every check. */
async function answer(it: VerdictSetup, isUp: (code: string, id: string) => boolean): Promise<number> {
  const asked = it.commands.splice(0);
  for (const { monitorId, locations } of asked) {
    for (const code of locations) await it.check(monitorId, code, isUp(code, monitorId));
  }
  return asked.length;
}

t.test('a location with a broken network causes no notification, even if one location may decide', async (t) => {
  const { it, uri } = await world(t);
  const other = await setUpVerdicts(uri, it.clock);
  t.teardown(() => other.stop());
  const ids = await fleet(it, 14);
  await it.clock.advance(MINUTE);
  const broken = (code: string) => code !== 'sin';

  await it.check('mon_00', 'sin', false);
  t.equal((await it.monitor('mon_00')).state.status, 'up', 'one location may decide, but the others vote up');
  for (let round = 0; round < 6; round++) {
    await it.clock.advance(1_000);
    const answered = await answer(it, broken);
    if (round === 0) t.ok(answered > 10, 'a spot check runs on other monitors of the location');
    await it.sweep.run();
    await it.health.tick();
  }
  t.match(it.health.quarantined(), [{ location: 'sin', monitors: 14 }]);
  const since = it.health.quarantined()[0]?.since_ms ?? 0;
  for (const id of ids) await it.check(id, 'sin', false);
  t.same(
    (await it.all()).filter((incident) => incident.monitor_id !== null),
    [],
    'no incident of a monitor',
  );
  const [alert] = await it.all();
  t.match(alert, {
    workspace_id: OPERATORS,
    kind: 'location',
    subject: 'quarantine:sin',
    severity: 'warning',
    resource: { type: 'location', id: 'sin', name: 'Singapore' },
  });
  t.match(alert?.message, /^Singapore \(sin\) is quarantined: \d+ of its 14 monitors fail from there/);
  t.same(await it.notified(), ['opened'], 'operators are notified once');
  await other.health.tick();
  t.match(other.health.quarantined(), [{ location: 'sin' }], 'the other control plane has the quarantine');
  const vote = (await it.monitor('mon_03')).live['sin'];
  t.equal(vote?.up, false, 'its results are still stored');

  await it.clock.advance(2 * MINUTE);
  await it.health.tick();
  t.ok(it.health.isQuarantined('sin'), 'the quarantine lasts while it fails');
  const everywhere = async () => {
    for (const id of ids) for (const code of LOCATIONS) await it.check(id, code, true);
    await it.sweep.run();
    await it.health.tick();
  };
  await everywhere();
  t.ok(it.health.isQuarantined('sin'), 'the first moment without failures does not end it');
  await it.clock.advance(59_000);
  await everywhere();
  t.ok(it.health.isQuarantined('sin'));
  await it.clock.advance(1_500);
  await everywhere();
  t.notOk(it.health.isQuarantined('sin'), 'a minute without failures does');
  const [span, ...others] = (await createQuarantineStore(it.mongo.db).spans()).get('sin') ?? [];
  t.equal(others.length, 0);
  t.equal(span?.from_ms, since - MINUTE, 'the span includes the failures that caused the quarantine');
  t.equal(span?.to_ms, it.clock.now(), 'up to the end of the quarantine');
  t.match(await it.all(), [{ status: 'resolved', resolution: 'recovered' }]);
});

t.test('a failure that only one location sees counts after the spot check of the location has passed', async (t) => {
  const { it } = await world(t);
  await fleet(it, 14);
  await it.clock.advance(MINUTE);
  await it.check('mon_05', 'sin', false);
  t.equal(await it.open('mon_05'), null);
  await it.clock.advance(500);
  await answer(it, (code, id) => id !== 'mon_05' || code !== 'sin');
  await it.health.tick();
  await it.sweep.run();
  t.match(await it.open('mon_05'), { status: 'firing', severity: 'warning' }, 'half a second later the incident opens');
  t.match((await it.open('mon_05'))?.message, /1 of 5 locations fails with connection refused \(sin\); working from/);

  await it.clock.advance(1_000);
  it.presence.set('nyc', { connectedProbes: 1, checkingProbes: 1, lastCheckingAtMs: 0, canaryOk: false });
  await it.check('mon_06', 'nyc', false);
  await answer(it, (code, id) => id !== 'mon_06' || code !== 'nyc');
  await it.health.tick();
  await it.sweep.run();
  t.equal(await it.open('mon_06'), null, 'a location whose canary targets do not answer cannot decide alone');
  it.presence.set('nyc', { connectedProbes: 1, checkingProbes: 1, lastCheckingAtMs: 0, canaryOk: true });
  await it.sweep.run();
  t.ok(await it.open('mon_06'), 'it can once they answer');

  it.assigned.set('lon', [{ monitorId: 'mon_07', intervalSeconds: 60 }]);
  await it.clock.advance(2_500);
  await it.check('mon_07', 'lon', false);
  await it.clock.advance(800);
  await it.evaluator.evaluate(['mon_07']);
  t.ok(
    await it.open('mon_07'),
    'with fewer than ten monitors no failure is held back, because no quarantine can follow',
  );
});

t.test('a complete outage quarantines no location, and no failure is held back for long', async (t) => {
  const { it } = await world(t);
  const ids = await fleet(it, 12);
  await it.clock.advance(MINUTE);
  for (const id of ids) await it.check(id, 'fra', false);
  for (const id of ids) for (const code of LOCATIONS.slice(1)) await it.check(id, code, false);
  await it.health.tick();
  t.same(it.health.quarantined(), [], 'no location has voted up since');
  t.equal((await it.all()).length, 12, 'twelve outages');

  const { it: slow } = await world(t);
  await fleet(slow, 12);
  await slow.clock.advance(MINUTE);
  await slow.check('mon_00', 'sin', false);
  await slow.clock.advance(74_000);
  for (const code of ['fra', 'nyc', 'lon', 'sfo']) await slow.check('mon_00', code, true);
  await slow.sweep.run();
  t.equal(await slow.open('mon_00'), null);
  await slow.clock.advance(2_000);
  await slow.sweep.run();
  t.ok(await slow.open('mon_00'), 'without results of the spot check, the failure counts after 75 s');
});

t.test('one alert for a location without a probe', async (t) => {
  const { it, uri } = await world(t);
  await fleet(it, 3);
  const probes = (connected: number, checking = connected, since: number | null = it.clock.now()) => {
    return { connectedProbes: connected, checkingProbes: checking, lastCheckingAtMs: since, canaryOk: null };
  };
  it.presence.set('sin', probes(0));
  await it.clock.advance(59_000);
  await it.silent.tick();
  t.same(await it.all(), [], 'not in the first minute after the start');
  await it.clock.advance(2_000);
  const other = await setUpVerdicts(uri, it.clock);
  t.teardown(() => other.stop());
  await Promise.all([it.silent.tick(), it.silent.tick()]);
  const alerts = await it.all();
  t.equal(alerts.length, 1, 'one alert');
  t.match(alerts[0], {
    ...{ workspace_id: OPERATORS, subject: 'location:sin', monitor_id: null, status: 'firing', severity: 'warning' },
    message:
      'No probe in Singapore (sin) has been connected since 12:00:00 UTC. The location does not vote on the 3 monitors assigned to it; their other locations decide.',
  });
  await it.silent.tick();
  t.same(await it.notified(), ['opened'], 'one notification');
  it.presence.set('sin', probes(1));
  await it.silent.tick();
  t.match(await it.all(), [{ status: 'resolved', message: 'A probe in Singapore (sin) checks again.' }]);
  t.same(await it.notified(), ['opened', 'resolved']);
  it.presence.set('sin', probes(0));
  await it.clock.advance(29_000);
  await it.silent.tick();
  t.equal((await it.all()).length, 1, 'a reconnect takes less than 30 s');
  await it.clock.advance(1_000);
  await it.silent.tick();
  t.equal((await it.all()).length, 2);
  it.assigned.set('sin', []);
  await it.silent.tick();
  t.match((await it.all())[1], { status: 'resolved', message: 'No monitor is assigned to Singapore (sin) any more.' });
});

t.test('an alert for a location whose probes are drained or that never had one, with its monitors', async (t) => {
  const { it } = await world(t);
  await fleet(it, 3);
  await it.clock.advance(61_000);
  const unresolved = async () => (await it.all()).filter((one) => one.open);
  it.presence.set('lon', { connectedProbes: 0, checkingProbes: 0, lastCheckingAtMs: null, canaryOk: null });
  await it.silent.tick();
  await it.clock.advance(29_000);
  await it.silent.tick();
  t.same(await unresolved(), []);
  await it.clock.advance(1_000);
  await it.silent.tick();
  t.match(await unresolved(), [
    { subject: 'location:lon', message: /^London \(lon\) has had no probe since 12:01:01 UTC\./ },
  ]);

  it.presence.set('nyc', { connectedProbes: 2, checkingProbes: 0, lastCheckingAtMs: null, canaryOk: null });
  t.same(['nyc', 'fra'].map(it.health.hasProbe), [false, true], 'a drained probe has no vote');
  await it.insert({ _id: 'mon_only', name: 'Intranet' });
  it.assigned.get('nyc')?.push({ monitorId: 'mon_only', intervalSeconds: 60 });
  await it.silent.tick();
  await it.clock.advance(30_000);
  await it.silent.tick();
  const [, drained] = await unresolved();
  t.match(drained, { subject: 'location:nyc', severity: 'critical' }, 'no location can check one of its monitors');
  t.match(drained?.message, /^All probes in New York \(nyc\) have been drained since 12:01:31 UTC\./);
  t.match(drained?.message, /No location can check 1 of them: Intranet\.$/);

  for (let index = 0; index < 6; index++) {
    await it.insert({ _id: `mon_zz${index}`, name: `Later ${index}` });
    it.assigned.get('nyc')?.push({ monitorId: `mon_zz${index}`, intervalSeconds: 60 });
  }
  await it.clock.advance(61_000);
  await it.silent.tick();
  const named = /No location can check 7 of them: Intranet, Later 0, Later 1, Later 2, Later 3 and 2 others\.$/;
  t.match((await unresolved())[1]?.message, named, 'monitors that are created later are added');
  t.equal((await it.notified()).length, 2, 'without another notification');

  const [alert] = await unresolved();
  if (alert === undefined) throw new Error('no alert');
  await it.runTransaction((tx) => resolveIncident(it.manual, tx, person(undefined, OPERATORS), alert._id));
  await it.clock.advance(61_000);
  await it.silent.tick();
  t.equal((await unresolved()).length, 1, 'an operator who resolved it knows of it');
});

t.test('a control plane that was stopped does not call a location silent before it has listened', async (t) => {
  const { it } = await world(t);
  await fleet(it, 3);
  it.silent.start();
  await it.clock.advance(90_000);
  it.clock.stall(120_000);
  it.presence.set('sin', {
    connectedProbes: 0,
    checkingProbes: 0,
    lastCheckingAtMs: it.clock.now() - 120_000,
    canaryOk: null,
  });
  await it.clock.advance(10_000);
  await it.silent.tick();
  t.same(await it.all(), [], 'the probes of sin need time to reconnect');
  await it.clock.advance(60_000);
  await it.silent.stop();
  await it.silent.tick();
  t.match(await it.all(), [{ subject: 'location:sin', status: 'firing' }]);
  it.assigned.set('sin', []);
});

t.test(
  'after an outage of the database, probes have a minute to reconnect before their location is silent',
  async (t) => {
    const { it } = await world(t);
    await fleet(it, 3);
    it.silent.start();
    await it.clock.advance(90_000);
    await it.mongo.client.close();
    await it.clock.advance(60_000);
    it.presence.set('sin', {
      connectedProbes: 0,
      checkingProbes: 0,
      lastCheckingAtMs: it.clock.now() - 60_000,
      canaryOk: null,
    });
    await it.mongo.client.connect();
    await it.silent.stop();
    await it.silent.tick();
    t.same(await it.all(), [], 'the outage has ended the streams of all probes');
    await it.clock.advance(60_000);
    await it.silent.tick();
    t.match(await it.all(), [{ subject: 'location:sin', status: 'firing' }]);
    it.assigned.set('sin', []);
  },
);

t.test('certificates: one incident per threshold, outages first, no duplicate notification', async (t) => {
  const { it } = await world(t);
  const certificate = (days: number, fingerprint = 'aa') => ({
    grade: 'A' as const,
    not_after_ms: it.clock.now() + days * DAY,
    fingerprint,
    issuer: 'Test CA',
    subject: 'shop.example.com',
    checked_at_ms: it.clock.now(),
  });
  const monitors = it.mongo.db.collection<MonitorDocument>('monitors');
  await it.insert({ _id: 'mon_c', name: 'Shop', certificate: certificate(31) });
  const run = () => it.certificates.runDue(it.clock.now());
  await run();
  t.same(await it.all(), []);
  await it.clock.advance(1.5 * DAY);
  await run();
  await run();
  t.match(await it.all(), [{ kind: 'certificate', severity: 'info', subject: 'monitor:mon_c', status: 'firing' }]);
  t.match(
    (await it.all())[0]?.message,
    'The certificate of Shop expires in 29 days, on 2026-03-03. Issued by Test CA.',
  );
  await it.clock.advance(16 * DAY);
  await run();
  t.match(
    (await it.all()).map(({ severity, resolution }) => ({ severity, resolution })),
    [
      { severity: 'info', resolution: 'superseded' },
      { severity: 'warning', resolution: null },
    ],
  );
  t.same(
    await it.notified(),
    ['opened', 'resolved', 'opened'],
    'integrations are notified that the first incident ended',
  );

  for (const code of LOCATIONS) await it.check('mon_c', code, false);
  t.match(await it.open('mon_c'), { kind: 'monitor' }, 'an outage supersedes it');
  await run();
  t.match(await it.open('mon_c'), { kind: 'monitor' });
  await it.clock.advance(1_000);
  for (const code of LOCATIONS) await it.check('mon_c', code, true);
  await it.clock.advance(5_000);
  for (const code of LOCATIONS) await it.check('mon_c', code, true);
  await run();
  t.match(await it.open('mon_c'), { kind: 'certificate', severity: 'warning', status: 'firing' }, 'it is open again');
  t.same(
    await it.notified(),
    ['opened', 'resolved', 'opened', 'resolved', 'opened', 'resolved'],
    'reopening sends no notification',
  );

  await it.clock.advance(11 * DAY);
  await run();
  t.match(await it.open('mon_c'), { severity: 'critical' });
  await monitors.updateOne({ _id: 'mon_c' }, { $set: { certificate: certificate(90, 'bb') } });
  await run();
  await monitors.updateOne({ _id: 'mon_c' }, { $set: { certificate: certificate(2, 'aa') } });
  await it.clock.advance(11 * MINUTE);
  await run();
  t.match(
    await it.open('mon_c'),
    { severity: 'critical' },
    'a server that still presents the old certificate keeps it open',
  );
  await monitors.updateOne({ _id: 'mon_c' }, { $set: { certificate: certificate(90, 'bb') } });
  await run();
  await it.clock.advance(11 * MINUTE);
  await run();
  t.equal(await it.open('mon_c'), null, 'only renewed certificates were seen for ten minutes');
  t.same(
    await it.audited(),
    (await it.all()).map(() => 'alert.resolved system'),
    'each end of an incident is in the audit log, also where another one replaced it',
  );
  const last = (await it.all()).at(-1);
  t.match(last, { resolution: 'recovered' });
  t.match(last?.message, /was renewed and is valid until/);
  t.equal((await it.notified()).filter((event) => event === 'opened').length, 4);
});
