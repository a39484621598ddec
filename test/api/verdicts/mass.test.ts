import t, { type Test } from 'tap';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { createVerdictStore } from '../../../control-plane/verdicts/store.js';
import { testDatabase } from '../../helpers/database.js';
import { LOCATIONS, liveResult, setUpVerdicts, type VerdictSetup } from '../../helpers/verdicts/setup.js';

const MONITORS = 120;
const ids = Array.from({ length: MONITORS }, (_, index) => `mon_${String(index).padStart(3, '0')}`);

async function world(t: Test) {
  const database = await testDatabase();
  const it = await setUpVerdicts(database.uri);
  await it.ensureIndexes();
  t.teardown(async () => {
    await it.stop();
    await database.drop();
  });
  const monitors = it.mongo.db.collection<MonitorDocument>('monitors');
  return { it, monitors, uri: database.uri };
}

/** Sets the results of all locations, or of all but the last, on every monitor. */
function live(it: VerdictSetup, up: boolean, except: boolean | null = null) {
  const last = LOCATIONS.length - 1;
  return Object.fromEntries(
    LOCATIONS.map((code, index) => [code, liveResult(index === last ? (except ?? up) : up, it.clock.now())]),
  );
}

t.test('many outages at once: one incident each, with many in one transaction', async (t) => {
  const { it, monitors } = await world(t);
  for (const id of ids) await it.insert({ _id: id, name: id, live: live(it, false, true) });
  await it.evaluator.evaluate(ids);
  t.ok(it.transactions() <= 6, `${it.transactions()} transactions for ${MONITORS} outages`);
  const opened = await it.all();
  t.equal(opened.length, MONITORS);
  t.equal(new Set(opened.map((incident) => incident.monitor_id)).size, MONITORS);
  t.same(new Set(await it.notified()), new Set(['opened']));
  t.equal((await it.notified()).length, MONITORS);
  for (const incident of opened) {
    t.match(incident, { status: 'firing', severity: 'warning', monitor_name: incident.monitor_id });
    const { state } = await it.monitor(incident.monitor_id ?? '');
    t.match(state, { status: 'down', revision: 1, incident: { id: incident._id, severity: 'warning' } });
  }

  await it.clock.advance(1_000);
  await monitors.updateMany({}, { $set: { live: live(it, false) } });
  await it.evaluator.evaluate(ids);
  const raised = await it.all();
  t.ok(
    raised.every(({ severity, events }) => severity === 'critical' && events.length === 2),
    'the last location fails too, and each severity rises once',
  );
  t.match((await it.monitor('mon_007')).state.incident, { severity: 'critical' });

  await it.clock.advance(1_000);
  await monitors.updateMany({}, { $set: { live: live(it, true) } });
  await it.evaluator.evaluate(ids);
  await it.clock.advance(5_000);
  await monitors.updateMany({}, { $set: { live: live(it, true) } });
  const auditLog = `${it.mongo.db.databaseName}.audit_log`;
  await it.mongo.db.command({ profile: 1, filter: { op: 'insert', ns: auditLog } });
  await it.evaluator.evaluate(ids);
  await it.mongo.db.command({ profile: 0 });
  t.ok(it.transactions() <= 18, `${it.transactions()} transactions in all`);
  for (const incident of await it.all()) {
    t.match(incident, { status: 'resolved', resolution: 'recovered', recovery: { outcome: 'up' } });
    t.same(
      incident.events.map((event) => event.type),
      ['opened', 'severity_changed', 'resolved'],
    );
    t.notOk('open' in incident);
    t.match(incident.message, new RegExp(`^${incident.monitor_id} is up again`), 'each has its own message');
  }
  t.equal((await it.notified()).filter((event) => event === 'resolved').length, MONITORS);
  t.equal((await it.monitor('mon_119')).state.incident, null);
  t.same(await it.audited(), Array(MONITORS).fill('alert.resolved system'), 'each resolution is in the audit log');
  const inserts = await it.mongo.db.collection('system.profile').countDocuments({ ns: auditLog });
  t.ok(inserts > 0 && inserts <= 6, `${inserts} inserts of audit entries`);
});

t.test('when a maintenance window ends over many outages, their incidents share round trips', async (t) => {
  const { it, monitors } = await world(t);
  it.maintenance = { from: it.clock.now(), to: it.clock.now() + 60_000 };
  for (const id of ids) await it.insert({ _id: id, name: id, live: live(it, false) });
  await it.evaluator.evaluate(ids);
  t.same(new Set((await it.all()).map(({ status }) => status)), new Set(['silenced']));

  const incidents = it.mongo.db.collection('incidents');
  // More checks than an end of a maintenance needs.
  for (let check = 0; check < 6; check++) {
    await it.clock.advance(60_000);
    await monitors.updateMany({}, { $set: { live: live(it, false) } });
    if (check === 0) await it.mongo.db.command({ profile: 2, filter: { ns: incidents.namespace } });
    await it.evaluator.evaluate(ids);
  }
  await it.mongo.db.command({ profile: 0 });
  const fired = await it.all();
  t.ok(fired.every(({ status, events }) => status === 'firing' && events.at(-1)?.type === 'unsilenced'));
  t.equal((await it.notified()).filter((event) => event === 'opened').length, MONITORS);
  // The server profiles each statement of a bulk write.
  const profile = it.mongo.db.collection('system.profile');
  const single = await profile.countDocuments({ ns: incidents.namespace, 'command.findAndModify': { $exists: true } });
  t.equal(single, 0, 'none is written by itself');
  const reads = await profile.countDocuments({ ns: incidents.namespace, op: 'query' });
  t.ok(reads <= 30, `${reads} reads of incidents`);
});

t.test('a monitor that cannot be written does not affect the others, and is written later', async (t) => {
  const { it } = await world(t);
  for (const id of ids) await it.insert({ _id: id, live: live(it, false) });
  // The last write of an opening. What was written before it must be rolled back.
  const refuse = { $nor: [{ type: 'incident.opened', 'resource.id': 'mon_050' }] };
  await it.mongo.db.command({ collMod: 'timeline', validator: refuse });
  await t.rejects(it.evaluator.evaluate(ids), /validation/);
  t.equal((await it.all()).length, MONITORS - 1);
  t.equal(await it.open('mon_050'), null, 'no incident without its line on the timeline');
  t.equal((await it.notified()).length, MONITORS - 1, 'no notification either');
  t.match((await it.monitor('mon_050')).state, { status: 'up', revision: 0 }, 'and no state');
  t.ok(it.transactions() < 40, `found in ${it.transactions()} transactions`);
  await it.mongo.db.command({ collMod: 'timeline', validator: {} });
  await it.evaluator.evaluate(ids);
  t.equal((await it.all()).length, MONITORS);
  t.match((await it.monitor('mon_050')).state, { status: 'down', revision: 1 });
});

t.test('a monitor that is paused between evaluation and write gets no incident, the others do', async (t) => {
  const { it, monitors } = await world(t);
  const some = ids.slice(0, 10);
  for (const id of some) await it.insert({ _id: id, live: live(it, false) });
  it.meanwhile = () => monitors.updateOne({ _id: 'mon_004' }, { $set: { paused_at_ms: 1 } });
  await it.evaluator.evaluate(some);
  t.same(
    (await it.all()).map((incident) => incident.monitor_id).sort(),
    some.filter((id) => id !== 'mon_004'),
  );
  t.match((await it.monitor('mon_004')).state, { status: 'up', revision: 0 });
  t.equal((await it.notified()).length, 9);
});

t.test('an existing unresolved incident is used, and no second one opens', async (t) => {
  const { it, monitors } = await world(t);
  for (const id of ids.slice(0, 10)) await it.insert({ _id: id, live: live(it, false) });
  await it.evaluator.evaluate(ids.slice(0, 10));
  const before = await it.all();
  // The state has no incident although one is unresolved.
  await monitors.updateMany({}, { $set: { 'state.status': 'up', 'state.incident': null } });
  await it.evaluator.evaluate(ids.slice(0, 10));
  t.same(
    (await it.all()).map((incident) => incident._id),
    before.map((incident) => incident._id),
  );
  for (const incident of before) {
    t.equal((await it.monitor(incident.monitor_id ?? '')).state.incident?.id, incident._id);
  }
});

t.test('of states that are written together, those without a conflict are written', async (t) => {
  const { it, monitors } = await world(t);
  const store = createVerdictStore(it.mongo.db);
  const read = await Promise.all(ids.slice(0, 4).map((id) => it.insert({ _id: id, live: live(it, true) })));
  await monitors.updateOne({ _id: 'mon_002' }, { $set: { 'state.revision': 1 } });
  const writes = read.map((monitor) => ({
    monitor,
    next: { ...monitor.state, attention: true, first_failed_at_ms: 5 },
    graceUntilMs: undefined,
  }));
  t.same([...(await store.writeStates(null, writes))].sort(), ['mon_000', 'mon_001', 'mon_003']);
  t.match((await it.monitor('mon_002')).state, { revision: 1, attention: false });
  t.match((await it.monitor('mon_003')).state, { revision: 1, attention: true, first_failed_at_ms: 5 });
  t.same([...(await store.writeStates(null, writes))], [], 'a second write changes nothing');
});
