import t, { type Test } from 'tap';
import type { IncidentDecision } from '../../../control-plane/incidents/documents.js';
import { resolveIncident } from '../../../control-plane/incidents/manual.js';
import { silenceIncident } from '../../../control-plane/incidents/silence/silence.js';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { isVoteDecision } from '../../../control-plane/verdicts/decision-record.js';
import { createVerdictStore } from '../../../control-plane/verdicts/store.js';
import { testDatabase } from '../../helpers/database.js';
import { replayDecision } from '../../helpers/verdicts/replay-decision.js';
import { LOCATIONS, liveResult, person, setUpVerdicts } from '../../helpers/verdicts/setup.js';

const MINUTE = 60_000;

/** Whether the stored votes give the stored outcome. */
function replays(decision: IncidentDecision | null | undefined): boolean {
  return decision !== null && decision !== undefined && isVoteDecision(decision) && replayDecision(decision).agrees;
}

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

t.test('an outage: suspect, confirmed, one incident, recovered in two rounds', async (t) => {
  const { it } = await world(t);
  await it.insert({ _id: 'mon_a', name: 'Shop' });
  for (const code of LOCATIONS) await it.check('mon_a', code, true);
  t.equal((await it.monitor('mon_a')).state.revision, 0, 'good results of a healthy monitor write nothing');

  await it.clock.advance(MINUTE);
  await it.check('mon_a', 'fra', false, { final: false, attempt: 0 });
  t.same(
    it.commands.map(({ reason, locations }) => ({ reason, locations })),
    [{ reason: 'confirm', locations: ['nyc', 'sin', 'lon', 'sfo'] }],
    'after the first failed attempt the other locations check at once',
  );
  t.equal((await it.monitor('mon_a')).state.attention, true);
  await it.check('mon_a', 'nyc', false, { final: false, attempt: 0 });
  await it.check('mon_a', 'lon', false, { final: false, attempt: 0 });
  t.equal(it.commands.length, 1, 'once per outage');
  t.equal(await it.open('mon_a'), null, 'the location is not down before its retries');

  const firstFailed = it.clock.now();
  await it.clock.advance(5_000);
  await it.check('mon_a', 'fra', false);
  await it.check('mon_a', 'nyc', false);
  t.equal(await it.open('mon_a'), null, 'two of five are not a majority');
  await it.check('mon_a', 'lon', false);
  t.equal((await it.monitor('mon_a')).state.status, 'up', 'sin and sfo have not answered yet, so the verdict waits');
  await it.check('mon_a', 'sfo', false);
  await it.check('mon_a', 'sin', true);
  const incident = await it.open('mon_a');
  t.match(incident, { status: 'firing', severity: 'warning', started_at_ms: firstFailed, kind: 'monitor' });
  t.equal(
    incident?.message,
    'Shop is down: 4 of 5 locations fail with connection refused (fra, nyc, lon, sfo); working from sin. First failed check 12:01:00 UTC.',
  );
  t.same(await it.notified(), ['opened']);
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
  t.same(await it.notified(), ['opened'], 'only one notification is sent');

  it.commands.length = 0;
  await it.clock.advance(1_000);
  for (const code of ['fra', 'nyc', 'lon']) await it.check('mon_a', code, true);
  t.ok(await it.open('mon_a'), 'one good round is not enough');
  t.equal(await it.sweep.run(), 0, 'no monitor is due before the second round');
  await it.clock.advance(3_000);
  await it.sweep.run();
  t.match(it.commands, [{ reason: 'recovery', locations: LOCATIONS }], 'the second round is requested');
  await it.check('mon_a', 'fra', true);
  await it.check('mon_a', 'nyc', true);
  t.ok(await it.open('mon_a'), 'two newer results do not complete a round of five');
  await it.check('mon_a', 'lon', true);
  t.equal(await it.open('mon_a'), null);
  const [resolved] = await it.all('mon_a');
  t.match(resolved, { status: 'resolved', resolution: 'recovered', severity: 'critical' });
  t.notOk('open' in (resolved ?? {}), 'the flag of unresolved incidents is removed');
  t.match(
    resolved?.message,
    /^Shop is up again after 1 min 9 s \(12:01:00 UTC to 12:02:09 UTC\): 3 of 5 locations reach it/,
  );
  t.ok(replays(resolved?.recovery));
  t.same(
    resolved?.events.map((event) => event.type),
    ['opened', 'severity_changed', 'resolved'],
  );
  t.same(await it.notified(), ['opened', 'resolved']);
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
  t.equal(await it.sweep.run(), 0, 'a healthy monitor is not due');
});

t.test('changes that only time causes', async (t) => {
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
  t.match(await it.open('mon_s'), { severity: 'critical' }, 'three votes became stale: two of two are down');

  await it.clock.advance(10 * MINUTE);
  await it.sweep.run();
  t.ok(await it.open('mon_s'), 'with no valid vote the incident stays');
  for (const code of LOCATIONS)
    it.presence.set(code, { connectedProbes: 0, checkingProbes: 0, lastCheckingAtMs: 0, canaryOk: null });
  for (const code of LOCATIONS) await it.check('mon_s', code, true);
  t.equal((await it.monitor('mon_s')).state.recovering_since_ms, null, 'a location without a probe has no vote');
});

t.test('resolved by a user: no incident during the grace period, a new one if it still fails', async (t) => {
  const { it } = await world(t);
  const failAll = async () => {
    for (const code of LOCATIONS) await it.check('mon_r', code, false);
  };
  await it.insert({ _id: 'mon_r' });
  await failAll();
  const first = await it.open('mon_r');
  if (first === null) throw new Error('no incident');
  await it.runTransaction((tx) => resolveIncident(it.manual, tx, person(), first._id));
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
  t.match(second?.message, /still down after a user resolved its incident/);
  t.same(await it.notified(), ['opened', 'resolved', 'opened']);
  t.same(await it.audited(), ['alert.resolved ada@example.com']);

  if (second === null) throw new Error('no incident');
  await it.clock.advance(1_000);
  for (const code of LOCATIONS) await it.check('mon_r', code, true);
  await it.clock.advance(5_000);
  for (const code of LOCATIONS) await it.check('mon_r', code, true);
  const ended = (await it.all('mon_r')).find(({ _id }) => _id === second._id);
  t.match(ended?.message, /^Shop is up again after 10 min 6 s \(/, 'the whole outage, not only its second incident');

  await it.clock.advance(5_000);
  await failAll();
  const third = await it.open('mon_r');
  if (third === null) throw new Error('no incident');
  await it.runTransaction((tx) => resolveIncident(it.manual, tx, person(), third._id));
  await it.clock.advance(1_000);
  for (const code of LOCATIONS) await it.check('mon_r', code, true);
  await it.clock.advance(5_000);
  for (const code of LOCATIONS) await it.check('mon_r', code, true);
  t.equal((await it.monitor('mon_r')).resolve_grace_until_ms, null, 'the recovery ends the grace period');
  await it.clock.advance(5_000);
  await failAll();
  t.ok(await it.open('mon_r'), 'a new outage within ten minutes opens an incident at once');
});

t.test('maintenance applies to the time when a check was due', async (t) => {
  const { it } = await world(t);
  await it.insert({ _id: 'mon_m', name: 'Shop' });
  const start = it.clock.now();
  it.maintenance = { from: start, to: start + 10 * MINUTE };
  for (const code of LOCATIONS) await it.check('mon_m', code, false);
  t.match(await it.open('mon_m'), { status: 'silenced' });
  t.same(await it.notified(), [], 'no notification is sent');

  await it.clock.advance(10 * MINUTE + 20_000);
  // Due during the maintenance, arrived after it.
  for (const code of LOCATIONS) await it.check('mon_m', code, false, { checked_at_ms: start + 10 * MINUTE - 5_000 });
  await it.sweep.run();
  t.match(await it.open('mon_m'), { status: 'silenced' }, 'checks from the maintenance do not make the incident fire');
  for (const code of ['fra', 'nyc']) await it.check('mon_m', code, false);
  t.match(await it.open('mon_m'), { status: 'silenced' }, 'two checks after the maintenance are too few');
  await it.check('mon_m', 'sin', false);
  const fired = await it.open('mon_m');
  t.match(fired, { status: 'firing', silenced_at_ms: null });
  t.same(
    fired?.events.map((event) => event.type),
    ['opened', 'silenced', 'unsilenced'],
  );
  t.same(await it.notified(), ['opened']);

  await it.insert({ _id: 'mon_h' });
  it.maintenance = { from: it.clock.now(), to: it.clock.now() + MINUTE };
  for (const code of LOCATIONS) await it.check('mon_h', code, false);
  const silenced = await it.open('mon_h');
  if (silenced === null) throw new Error('no incident');
  await it.runTransaction((tx) => silenceIncident(it.manual, tx, person(), { id: silenced._id, forMinutes: null }));
  await it.clock.advance(2 * MINUTE);
  for (const code of LOCATIONS) await it.check('mon_h', code, false);
  t.match(
    await it.open('mon_h'),
    { status: 'silenced' },
    'a user silenced the incident, so the end of the maintenance does not make it fire',
  );
});

t.test('twelve evaluators of four control planes on a hundred failing monitors', async (t) => {
  const { it, uri } = await world(t);
  const others = await Promise.all([1, 2, 3].map(() => setUpVerdicts(uri, it.clock)));
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
  await Promise.all(planes.flatMap((plane) => [1, 2, 3].map(() => plane.evaluator.evaluate(ids))));
  const incidents = await it.all();
  t.equal(incidents.length, 100, 'exactly one incident each');
  t.equal(new Set(incidents.map((incident) => incident.monitor_id)).size, 100);
  const notified = await it.notified();
  t.same([notified.length, new Set(notified)], [100, new Set(['opened'])], 'exactly one outbox event each');
  for (const id of [ids[0], ids[99]]) {
    const { state } = await it.monitor(id ?? '');
    t.match(state, { status: 'down', revision: 1, attention: true });
    t.ok(incidents.some((incident) => incident._id === state.incident?.id));
  }
});

t.test('a pause, a change of settings and a deletion during an outage', async (t) => {
  const { it } = await world(t);
  await it.insert({ _id: 'mon_p' });
  for (const code of LOCATIONS) await it.check('mon_p', code, false);
  const monitors = it.mongo.db.collection<{ _id: string }>('monitors');
  // Like the pause of the monitors slice: the incident is resolved, the status stays.
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
  t.equal(await it.open('mon_p'), null, 'a paused monitor is not evaluated');
  await monitors.updateOne(
    { _id: 'mon_p' },
    { $set: { paused_at_ms: null, live: {}, live_from_version: 3 }, $inc: { version: 1, 'state.revision': 1 } },
  );
  await it.check('mon_p', 'fra', false, { final: false, attempt: 0 });
  await it.check('mon_p', 'nyc', false, { final: false, attempt: 0 });
  t.equal(await it.open('mon_p'), null, 'failures from before the pause do not count as retries after it');
  for (const code of LOCATIONS) await it.check('mon_p', code, false);
  t.match(await it.open('mon_p'), { status: 'firing' }, 'it is still down after the pause: a new incident');
});

t.test('an outdated evaluation is not written', async (t) => {
  const { it } = await world(t);
  const store = createVerdictStore(it.mongo.db);
  await it.insert({ _id: 'mon_w', live: { fra: liveResult(true, it.clock.now()) } });
  const monitors = it.mongo.db.collection<MonitorDocument>('monitors');
  const read = await it.monitor('mon_w');
  const clean = { ...read.state, attention: false };

  const write = async (monitor: MonitorDocument, next: MonitorDocument['state']) =>
    (await store.writeStates(null, [{ monitor, next, graceUntilMs: undefined }])).has('mon_w');
  await monitors.updateOne({ _id: 'mon_w' }, { $set: { 'live.nyc': liveResult(false, it.clock.now()) } });
  t.equal(await write(read, clean), false, 'a new result has arrived, so attention does not end');
  t.equal(await write(read, { ...clean, attention: true }), true, 'a state that keeps attention is written');
  t.equal(await write(read, { ...clean, attention: true }), false, 'a concurrent evaluation was first');
  const second = await it.monitor('mon_w');
  t.equal(second.state.revision, 1);
  await monitors.updateOne({ _id: 'mon_w' }, { $set: { paused_at_ms: 1 } });
  t.equal(await write(second, { ...second.state }), false, 'it was paused');
});
