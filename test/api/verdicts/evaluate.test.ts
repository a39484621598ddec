import t, { type Test } from 'tap';
import { resolveIncident, silenceIncident } from '../../../control-plane/incidents/by-hand.js';
import { type AnyDecision, isByVotes } from '../../../control-plane/incidents/documents.js';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { createVerdictStore } from '../../../control-plane/verdicts/store.js';
import { replayDecision } from '../../../control-plane/verdicts/verdict.js';
import { testDatabase } from '../../helpers/database.js';
import { LOCATIONS, liveResult, person, verdictWorld } from '../../helpers/verdicts/world.js';

const MINUTE = 60_000;

/** Whether the stored votes lead to the stored outcome. */
function replays(decision: AnyDecision | null | undefined): boolean {
  return decision !== null && decision !== undefined && isByVotes(decision) && replayDecision(decision).agrees;
}

async function world(t: Test) {
  const database = await testDatabase();
  const it = await verdictWorld(database.uri);
  await it.ensureIndexes();
  t.teardown(async () => {
    await it.stop();
    await database.drop();
  });
  return { it, uri: database.uri };
}

t.test('an outage: suspect, confirmed, one incident, recovered in two rounds', async (t) => {
  const { it } = await world(t);
  await it.insert({ _id: 'mon_a', name: 'Shop' });
  for (const code of LOCATIONS) await it.check('mon_a', code, true);
  t.equal((await it.monitor('mon_a')).state.revision, 0, 'good results of a clean monitor write nothing');

  await it.clock.advance(MINUTE);
  await it.check('mon_a', 'fra', false, { final: false, attempt: 0 });
  t.same(
    it.commands.map(({ reason, locations }) => ({ reason, locations })),
    [{ reason: 'confirm', locations: ['nyc', 'sin', 'lon', 'sfo'] }],
    'the first failure, retries to come, has the others check at once',
  );
  t.equal((await it.monitor('mon_a')).state.attention, true);
  await it.check('mon_a', 'nyc', false, { final: false, attempt: 0 });
  await it.check('mon_a', 'lon', false, { final: false, attempt: 0 });
  t.equal(it.commands.length, 1, 'once per episode');
  t.equal(await it.open('mon_a'), null, 'nobody is down before the retries');

  const firstFailed = it.clock.now();
  await it.clock.advance(5_000);
  await it.check('mon_a', 'fra', false);
  await it.check('mon_a', 'nyc', false);
  t.equal(await it.open('mon_a'), null, 'two of five are no majority');
  await it.check('mon_a', 'lon', false);
  t.equal((await it.monitor('mon_a')).state.status, 'up', 'sin and sfo have not answered yet: a moment of patience');
  await it.check('mon_a', 'sfo', false);
  await it.check('mon_a', 'sin', true);
  const incident = await it.open('mon_a');
  t.match(incident, { status: 'firing', severity: 'warning', started_at_ms: firstFailed, kind: 'monitor' });
  t.equal(
    incident?.message,
    'Shop is down: 4 of 5 locations report connection refused (fra, nyc, lon, sfo); sin says up. First failed check 12:01:00 UTC.',
  );
  t.same(await it.told(), ['opened']);
  const record = incident?.decision;
  t.ok(replays(record), 'the stored record replays');
  t.match(record?.times, {
    first_failed_at_ms: firstFailed,
    confirmed_at_ms: it.clock.now(),
    opened_at_ms: it.clock.now(),
  });

  await it.clock.advance(MINUTE);
  await it.check('mon_a', 'sin', false);
  t.match(await it.open('mon_a'), { severity: 'critical' }, 'every voting location fails');
  t.same(await it.told(), ['opened'], 'nobody is told twice');

  it.commands.length = 0;
  await it.clock.advance(1_000);
  for (const code of ['fra', 'nyc', 'lon']) await it.check('mon_a', code, true);
  t.ok(await it.open('mon_a'), 'one good round is not enough');
  t.equal(await it.sweep.run(), 0, 'nothing to do before the second round is due');
  await it.clock.advance(3_000);
  await it.sweep.run();
  t.match(it.commands, [{ reason: 'recovery', locations: LOCATIONS }], 'the second round is asked for');
  await it.check('mon_a', 'fra', true);
  await it.check('mon_a', 'nyc', true);
  t.ok(await it.open('mon_a'), 'two newer results are no round of five');
  await it.check('mon_a', 'lon', true);
  t.equal(await it.open('mon_a'), null);
  const [resolved] = await it.all('mon_a');
  t.match(resolved, { status: 'resolved', resolution: 'recovered', severity: 'critical' });
  t.notOk('open' in (resolved ?? {}), 'the mark of the unresolved is gone');
  t.match(
    resolved?.message,
    /^Shop is up again after 1 min 9 s \(12:01:00 UTC to 12:02:09 UTC\): 3 of 5 locations reach it/,
  );
  t.ok(replays(resolved?.recovery));
  t.same(
    resolved?.events.map((event) => event.type),
    ['opened', 'severity_changed', 'resolved'],
  );
  t.same(await it.told(), ['opened', 'resolved']);
  const lines = await it.timeline.page({
    workspaceId: 'ws_test',
    fromMs: null,
    toMs: null,
    resourceId: 'mon_a',
    after: null,
    limit: 50,
  });
  t.same(lines.map((line) => line.type).sort(), [
    'incident.opened',
    'incident.resolved',
    'incident.severity_changed',
    'monitor.status_changed',
    'monitor.status_changed',
  ]);
  for (const code of ['sin', 'sfo']) await it.check('mon_a', code, true);
  t.match((await it.monitor('mon_a')).state, { attention: false, status: 'up', incident: null });
  t.equal(await it.sweep.run(), 0, 'a clean monitor is left alone');
});

t.test('what comes by time alone', async (t) => {
  const { it } = await world(t);
  await it.insert({ _id: 'mon_s', name: 'Stale' });
  for (const code of ['lon', 'sin', 'sfo'])
    await it.check('mon_s', code, true, { checked_at_ms: it.clock.now() - 60_000 });
  for (const code of ['fra', 'nyc']) await it.check('mon_s', code, false);
  await it.clock.advance(1_000);
  await it.sweep.run();
  t.equal(await it.open('mon_s'), null);
  await it.clock.advance(60_000);
  await it.sweep.run();
  t.match(await it.open('mon_s'), { severity: 'critical' }, 'three votes went stale: two of two are down');

  await it.clock.advance(10 * MINUTE);
  await it.sweep.run();
  t.ok(await it.open('mon_s'), 'with no valid vote the incident stays');
  for (const code of LOCATIONS) it.presence.set(code, { connectedProbes: 0, lastConnectedAtMs: 0, canaryOk: null });
  for (const code of LOCATIONS) await it.check('mon_s', code, true);
  t.equal((await it.monitor('mon_s')).state.recovering_since_ms, null, 'a location without a probe has no vote');
});

t.test('resolved by hand: silence for the grace, a new incident if it still fails', async (t) => {
  const { it } = await world(t);
  const failAll = async () => {
    for (const code of LOCATIONS) await it.check('mon_r', code, false);
  };
  await it.insert({ _id: 'mon_r' });
  await failAll();
  const first = await it.open('mon_r');
  if (first === null) throw new Error('no incident');
  await it.runTransaction((tx) => resolveIncident(it.byHand, tx, person(), first._id));
  for (let minute = 0; minute < 10; minute++) {
    await failAll();
    await it.sweep.run();
    t.equal(await it.open('mon_r'), null, `muted in minute ${minute}`);
    await it.clock.advance(MINUTE);
  }
  await failAll();
  const second = await it.open('mon_r');
  t.not(second?._id, first._id);
  t.match(second, { status: 'firing', started_at_ms: it.clock.now() });
  t.match(second?.message, /still down although its incident was resolved by hand/);
  t.same(await it.told(), ['opened', 'resolved', 'opened']);
  t.same(await it.audited(), ['alert.resolved ada@example.com']);

  if (second === null) throw new Error('no incident');
  await it.runTransaction((tx) => resolveIncident(it.byHand, tx, person(), second._id));
  await it.clock.advance(1_000);
  for (const code of LOCATIONS) await it.check('mon_r', code, true);
  await it.clock.advance(5_000);
  for (const code of LOCATIONS) await it.check('mon_r', code, true);
  t.equal((await it.monitor('mon_r')).resolve_grace_until_ms, null, 'it came up: the grace is over');
  await it.clock.advance(5_000);
  await failAll();
  t.ok(await it.open('mon_r'), 'a new outage within the ten minutes opens at once');
});

t.test('maintenance is judged by when a check was due', async (t) => {
  const { it } = await world(t);
  await it.insert({ _id: 'mon_m', name: 'Shop' });
  const start = it.clock.now();
  it.maintenance = { from: start, to: start + 10 * MINUTE };
  for (const code of LOCATIONS) await it.check('mon_m', code, false);
  t.match(await it.open('mon_m'), { status: 'silenced' });
  t.same(await it.told(), [], 'nobody is told');

  await it.clock.advance(10 * MINUTE + 20_000);
  // Due in the window, arrived after it.
  for (const code of LOCATIONS) await it.check('mon_m', code, false, { checked_at_ms: start + 10 * MINUTE - 5_000 });
  await it.sweep.run();
  t.match(await it.open('mon_m'), { status: 'silenced' }, 'checks of the window do not make it fire');
  for (const code of ['fra', 'nyc']) await it.check('mon_m', code, false);
  t.match(await it.open('mon_m'), { status: 'silenced' }, 'two checks after the window are too few');
  await it.check('mon_m', 'sin', false);
  const fired = await it.open('mon_m');
  t.match(fired, { status: 'firing', silenced_at_ms: null });
  t.same(
    fired?.events.map((event) => event.type),
    ['opened', 'silenced', 'unsilenced'],
  );
  t.same(await it.told(), ['opened']);

  await it.insert({ _id: 'mon_h' });
  it.maintenance = { from: it.clock.now(), to: it.clock.now() + MINUTE };
  for (const code of LOCATIONS) await it.check('mon_h', code, false);
  const byHand = await it.open('mon_h');
  if (byHand === null) throw new Error('no incident');
  await it.runTransaction((tx) => silenceIncident(it.byHand, tx, person(), byHand._id));
  await it.clock.advance(2 * MINUTE);
  for (const code of LOCATIONS) await it.check('mon_h', code, false);
  t.match(
    await it.open('mon_h'),
    { status: 'silenced' },
    'a person silenced it: the end of the window does not fire it',
  );
});

t.test('twelve evaluators of four control planes on a hundred failing monitors', async (t) => {
  const { it, uri } = await world(t);
  const others = await Promise.all([1, 2, 3].map(() => verdictWorld(uri, it.clock)));
  t.teardown(() => Promise.all(others.map((other) => other.stop())));
  const ids = Array.from({ length: 100 }, (_, index) => `mon_${String(index).padStart(3, '0')}`);
  const nowMs = it.clock.now();
  const live = Object.fromEntries(
    LOCATIONS.map((code) => [
      code,
      {
        slot_ms: nowMs,
        attempt: 1,
        final: true,
        checked_at_ms: nowMs,
        received_at_ms: nowMs,
        up: false,
        response_time_ms: 5,
        http_status: null,
        error: { code: 'connection_refused' as const, message: 'refused' },
      },
    ]),
  );
  for (const id of ids) await it.insert({ _id: id, live });
  const planes = [it, ...others];
  const started = performance.now();
  await Promise.all(planes.flatMap((plane) => [1, 2, 3].map(() => plane.evaluator.evaluate(ids))));
  t.comment(`1,200 evaluations in ${Math.round(performance.now() - started)} ms`);
  const incidents = await it.all();
  t.equal(incidents.length, 100, 'exactly one incident each');
  t.equal(new Set(incidents.map((incident) => incident.monitor_id)).size, 100);
  const told = await it.told();
  t.same([told.length, new Set(told)], [100, new Set(['opened'])], 'exactly one outbox event each');
  for (const id of [ids[0], ids[99]]) {
    const { state } = await it.monitor(id ?? '');
    t.match(state, { status: 'down', revision: 1, attention: true });
    t.ok(incidents.some((incident) => incident._id === state.incident?.id));
  }
});

t.test('a pause in between, a settings change, a deletion', async (t) => {
  const { it } = await world(t);
  await it.insert({ _id: 'mon_p' });
  for (const code of LOCATIONS) await it.check('mon_p', code, false);
  const monitors = it.mongo.db.collection<{ _id: string }>('monitors');
  // As the pause of the monitors slice does it: the incident is resolved, the status stays.
  await monitors.updateOne({ _id: 'mon_p' }, { $set: { paused_at_ms: 1 }, $inc: { version: 1, 'state.revision': 1 } });
  await it.runTransaction((tx) =>
    it.incidents.resolveSubject(tx, person(), {
      workspaceId: 'ws_test',
      subject: 'monitor:mon_p',
      resolution: 'paused',
      message: 'Resolved because the monitor was paused.',
      recovery: null,
    }),
  );
  await it.evaluator.evaluate(['mon_p', 'mon_gone']);
  t.equal(await it.open('mon_p'), null, 'a paused monitor is not judged');
  await monitors.updateOne(
    { _id: 'mon_p' },
    { $set: { paused_at_ms: null, live: {}, live_from_version: 3 }, $inc: { version: 1, 'state.revision': 1 } },
  );
  await it.check('mon_p', 'fra', false, { final: false, attempt: 0 });
  await it.check('mon_p', 'nyc', false, { final: false, attempt: 0 });
  t.equal(await it.open('mon_p'), null, 'what failed before the pause does not stand for retries after it');
  for (const code of LOCATIONS) await it.check('mon_p', code, false);
  t.match(await it.open('mon_p'), { status: 'firing' }, 'it is still down after the pause: a new incident');
});

t.test('a judgement on what is no longer so is not written', async (t) => {
  const { it } = await world(t);
  const store = createVerdictStore(it.mongo.db);
  await it.insert({ _id: 'mon_w', live: { fra: liveResult(true, it.clock.now()) } });
  const monitors = it.mongo.db.collection<MonitorDocument>('monitors');
  const read = await it.monitor('mon_w');
  const clean = { ...read.state, attention: false };

  const write = async (monitor: MonitorDocument, next: MonitorDocument['state']) =>
    (await store.writeStates(null, [{ monitor, next, graceUntilMs: undefined }])).has('mon_w');
  await monitors.updateOne({ _id: 'mon_w' }, { $set: { 'live.nyc': liveResult(false, it.clock.now()) } });
  t.equal(await write(read, clean), false, 'a result came: attention does not end');
  t.equal(await write(read, { ...clean, attention: true }), true, 'what does not end it may');
  t.equal(await write(read, { ...clean, attention: true }), false, 'a rival was first');
  const second = await it.monitor('mon_w');
  t.equal(second.state.revision, 1);
  await monitors.updateOne({ _id: 'mon_w' }, { $set: { paused_at_ms: 1 } });
  t.equal(await write(second, { ...second.state }), false, 'it was paused');
});
