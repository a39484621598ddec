import fc from 'fast-check';
import t from 'tap';
import { HOUR_MS, MINUTE_MS } from '../../../control-plane/results/rollup/slots.js';
import { createRollupStore } from '../../../control-plane/results/rollup/store.js';
import type { Clock } from '../../../kernel/clock.js';
import type { CheckResult } from '../../../proto/generated/picket/link/v1/CheckResult.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { createGate } from '../../helpers/gate.js';
import { buildHistory, buildMonitor, checkResult, type History } from '../../helpers/results/history.js';
import { assertRolledUp, assertUptime } from '../../helpers/results/rolled-up.js';
import { waitFor } from '../../helpers/wait.js';

// In the future, because the database removes what has expired by its own clock.
const NOW = Date.UTC(2031, 0, 31, 12);
const FAR = NOW + 40 * 24 * HOUR_MS;
/** What a run of the uptime job reads at most. */
const UPTIME_MONITORS_MAX = 200;
const database = await testDatabase();
t.teardown(() => database.drop());

interface Check {
  location: string;
  slotMs: number;
  up: boolean;
  /** How long after its slot the result arrives. */
  delayMs: number;
}

/** Removes everything of an earlier test. */
async function freshHistory(clock: Clock): Promise<History> {
  const rolled = ['result_minutes', 'result_hours', 'rollup_heads', 'rollup_state'];
  const names = ['monitors', 'results', ...rolled, 'leases', 'location_quarantines', 'location_quarantine_spans'];
  await Promise.all(names.map((name) => database.db.collection(name).deleteMany({})));
  return buildHistory(database, { clock });
}

/** In batches, like probes: the results of one location that arrive at the same time. */
async function deliver(history: History, id: string, checks: readonly Check[], receivedMs: (check: Check) => number) {
  const batches = new Map<string, { location: string; atMs: number; results: CheckResult[] }>();
  for (const one of checks) {
    const [location, atMs] = [one.location, receivedMs(one)];
    const batch = batches.get(`${location}/${atMs}`) ?? { location, atMs, results: [] };
    batches.set(`${location}/${atMs}`, batch);
    const member = { monitorId: id, slotMs: one.slotMs, responseTimeMs: (one.slotMs % 977) / 3 };
    batch.results.push(checkResult(member, one.up ? null : 'dns_failure'));
  }
  const refused = await Promise.all(
    [...batches.values()].map(({ location, atMs, results }) => history.deliver(location, results, atMs)),
  );
  if (refused.flat().length > 0) throw new Error(JSON.stringify(refused.flat()));
}

/** Fails once, at the `at`-th call of a writing method, before or after the write. */
function breaking(history: History, at: number, after: boolean) {
  const store = createRollupStore(database.db);
  let calls = 0;
  const broken =
    <A extends unknown[]>(write: (...args: A) => Promise<void>) =>
    async (...args: A) => {
      calls++;
      if (calls === at && !after) throw new Error('killed');
      await write(...args);
      if (calls === at && after) throw new Error('killed');
    };
  return {
    ...history.rollups,
    saveMinutes: broken(store.saveMinutes),
    saveHours: broken(store.saveHours),
    saveHeads: broken(store.saveHeads),
    saveWatermark: broken(store.saveWatermark),
  };
}

const check: fc.Arbitrary<Check> = fc.record({
  location: fc.constantFrom('fra', 'nyc', 'sin'),
  // Two and a half hours of slots, most of them a minute apart, some in between.
  slotMs: fc.integer({ min: 0, max: 600 }).map((quarter) => NOW - 150 * MINUTE_MS + quarter * 15_000),
  up: fc.boolean(),
  // In time, after the end of the minute, beyond the horizon of the head, and hours late.
  delayMs: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 100, max: 5_000 }) },
    { weight: 2, arbitrary: fc.integer({ min: 5_000, max: 200_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 200_000, max: 7_200_000 }) },
  ),
});

t.test('in any order of arrival and with interrupted passes, the history equals the definition', async (t) => {
  const property = fc.asyncProperty(
    fc.uniqueArray(check, { minLength: 1, maxLength: 60, selector: (one) => `${one.location}/${one.slotMs}` }),
    fc.array(fc.record({ at: fc.integer({ min: 1, max: 9 }), after: fc.boolean() }), { maxLength: 4 }),
    fc.constantFrom(60, 600, 3_600),
    fc.constantFrom(0, NOW - 150 * MINUTE_MS),
    // A quarantine and its end. The last pass may be during the quarantine.
    fc.record({ sinceS: fc.integer({ min: 60, max: 9_000 }), forS: fc.integer({ min: 30, max: 5_000 }) }),
    async (checks, kills, interval_seconds, created_at_ms, quarantine) => {
      const clock = testClock(NOW - 150 * MINUTE_MS);
      const history = await freshHistory(clock);
      const monitor = buildMonitor({ interval_seconds, created_at_ms });
      await history.insertMonitors(monitor);
      const arrivals = [...checks].sort((a, b) => a.slotMs + a.delayMs - (b.slotMs + b.delayMs));
      const breaks = [...kills];
      const endMs = Math.max(NOW, ...arrivals.map((one) => one.slotMs + one.delayMs));
      const sinceMs = clock.now() + quarantine.sinceS * 1_000;
      const untilMs = sinceMs + quarantine.forS * 1_000;
      for (let next = 0; clock.now() < endMs + 2 * MINUTE_MS; ) {
        const beforeMs = clock.now();
        await clock.advance(7 * MINUTE_MS);
        if (beforeMs < sinceMs && clock.now() >= sinceMs) await history.quarantine('sin', sinceMs);
        if (beforeMs < untilMs && clock.now() >= untilMs) await history.trust('sin', sinceMs, untilMs);
        const due = arrivals.slice(next).filter((one) => one.slotMs + one.delayMs <= clock.now());
        next += due.length;
        await deliver(history, monitor._id, due, (one) => one.slotMs + one.delayMs);
        const kill = breaks.pop();
        if (kill !== undefined) {
          const cut = history.newRollupJob('one', { store: breaking(history, kill.at, kill.after) });
          await cut.runOnce().catch(() => undefined);
        }
        await history.newRollupJob('one').runOnce();
      }
      await assertRolledUp(history, monitor._id);
    },
  );
  await t.resolves(fc.assert(property, { numRuns: 10 }));
});

/** Good checks of all locations in each minute of [fromMs, toMs), in the order of their phases. */
function minutely(
  fromMs: number,
  toMs: number,
  up: (slotMs: number, location: string) => boolean = () => true,
): Check[] {
  const checks: Check[] = [];
  for (let minuteMs = fromMs; minuteMs < toMs; minuteMs += MINUTE_MS) {
    for (const [index, location] of ['fra', 'nyc', 'sin'].entries()) {
      const slotMs = minuteMs + index * 20_000;
      checks.push({ location, slotMs, up: up(slotMs, location), delayMs: 500 });
    }
  }
  return checks;
}

t.test('an outage is visible in uptime and coverage, by minute and after the hour', async (t) => {
  const clock = testClock(NOW);
  const history = await freshHistory(clock);
  const monitor = buildMonitor();
  await history.insertMonitors(monitor);
  const job = history.newRollupJob();
  const isUp = (slotMs: number) => slotMs < NOW + 20 * MINUTE_MS || slotMs >= NOW + 26 * MINUTE_MS;
  const checks = minutely(NOW, NOW + 150 * MINUTE_MS, isUp);
  for (let minute = 0; minute < 150; minute += 5) {
    await deliver(history, monitor._id, checks.slice(minute * 3, minute * 3 + 15), (one) => one.slotMs + 500);
    await clock.advance(NOW + (minute + 5) * MINUTE_MS - 1_000 - clock.now());
    await job.runOnce();
    if (minute % 30 === 5) await assertUptime(history, monitor._id, clock.now());
  }
  await assertRolledUp(history, monitor._id);
  await assertUptime(history, monitor._id, clock.now());
  const { uptime } = await history.find(monitor._id);
  // Two of three locations are down from 20 min 20 s to 26 min 20 s.
  t.equal(uptime?.day.uptime, Math.floor((1 - 360 / (150 * 60 - 1)) * 1_000_000) / 10_000, 'rounded down');
  t.ok(uptime !== null && uptime.week.coverage < uptime.day.coverage);
});

t.test('the windows move, and what leaves them no longer counts', async (t) => {
  const clock = testClock(NOW);
  const history = await freshHistory(clock);
  const monitor = buildMonitor({ interval_seconds: 3_600, locations: ['fra'] });
  await history.insertMonitors(monitor);
  const job = history.newRollupJob();
  const hourly = async (hours: number, up: boolean) => {
    for (let hour = 0; hour < hours; hour++) {
      await deliver(
        history,
        monitor._id,
        [{ location: 'fra', slotMs: clock.now(), up, delayMs: 100 }],
        (one) => one.slotMs + 100,
      );
      await clock.advance(30 * MINUTE_MS);
      await job.runOnce();
      await clock.advance(30 * MINUTE_MS);
      await job.runOnce();
    }
  };
  await hourly(2, false);
  await hourly(21, true);
  await assertUptime(history, monitor._id, clock.now());
  await hourly(3, true);
  await assertUptime(history, monitor._id, clock.now());
  const { uptime } = await history.find(monitor._id);
  t.equal(uptime?.day.uptime, 100, 'the outage of two hours is more than a day ago');
  t.equal(uptime?.week.uptime, 92.3076, 'and less than a week ago: 24 of 26 hours');
  t.equal(uptime?.day.coverage, 100);
});

t.test('paused time does not count, even after a resume', async (t) => {
  const clock = testClock(NOW);
  const history = await freshHistory(clock);
  const monitor = buildMonitor({ interval_seconds: 600 });
  await history.insertMonitors(monitor);
  const [rollup, uptime] = [history.newRollupJob(), history.newUptimeJob()];
  const pausedMs = NOW + 10 * MINUTE_MS + 7_000;
  await deliver(history, monitor._id, minutely(NOW, NOW + 10 * MINUTE_MS), (one) => one.slotMs + 500);
  await clock.advance(pausedMs - NOW);
  const monitors = database.db.collection<{ _id: string }>('monitors');
  await monitors.updateOne({ _id: monitor._id }, { $set: { paused_at_ms: pausedMs } });
  // A check that was running when the probe received the pause.
  await deliver(
    history,
    monitor._id,
    [{ location: 'fra', slotMs: pausedMs + 1_000, up: true, delayMs: 50 }],
    (one) => one.slotMs + 50,
  );
  await clock.advance(3_000);
  await uptime.runOnce();
  await clock.advance(30_000);
  await monitors.updateOne({ _id: monitor._id }, { $set: { paused_at_ms: null } });
  await clock.advance(4 * MINUTE_MS);
  await rollup.runOnce();
  await assertRolledUp(history, monitor._id, [pausedMs]);
  await assertUptime(history, monitor._id, clock.now(), [pausedMs]);
  const minutes = await history.rollups.minutes({ workspaceId: 'ws_history', monitorId: monitor._id }, 0, FAR);
  t.equal(minutes.get(NOW + 10 * MINUTE_MS)?.observed_ms, 7_000);
  t.notOk(minutes.has(NOW + 12 * MINUTE_MS));
});

t.test('two control planes at once: one does the work, and one that lost its lease overwrites nothing', async (t) => {
  const clock = testClock(NOW);
  const history = await freshHistory(clock);
  const monitor = buildMonitor();
  await history.insertMonitors(monitor);
  await deliver(history, monitor._id, minutely(NOW, NOW + 3 * MINUTE_MS), (one) => one.slotMs + 500);
  await clock.advance(4 * MINUTE_MS);

  // The first has the lease and then hangs before it writes its minutes, until the second has written later ones.
  const gate = createGate();
  const saveMinutes: History['rollups']['saveMinutes'] = async (hours, fence) => {
    await gate.pass();
    return history.rollups.saveMinutes(hours, fence);
  };
  const first = history.newRollupJob('first', { store: { ...history.rollups, saveMinutes } }).runOnce();
  await gate.reached;
  t.equal(await history.newRollupJob('second').runOnce(), null, 'the lease is taken');
  await history.leases.release('rollup', 'first');
  await deliver(history, monitor._id, minutely(NOW + 3 * MINUTE_MS, NOW + 8 * MINUTE_MS), (one) => one.slotMs + 500);
  await clock.advance(5 * MINUTE_MS);
  t.match(await history.newRollupJob('second').runOnce(), { monitors: 1 });
  gate.open();
  await first;
  await assertRolledUp(history, monitor._id);
  const head = (await history.rollups.heads([monitor._id])).get(monitor._id)?.head;
  t.equal(head?.through_ms, NOW + 8 * MINUTE_MS);
  await history.leases.release('rollup', 'second');
});

t.test('a control plane that loses the lease of uptime stops before the next monitor', async (t) => {
  const clock = testClock(NOW);
  const history = await freshHistory(clock);
  const fresh = [buildMonitor(), buildMonitor(), buildMonitor()];
  await history.insertMonitors(...fresh);
  await clock.advance(61_000);
  for (const { _id } of fresh) {
    await deliver(history, _id, minutely(NOW, NOW + MINUTE_MS), (one) => one.slotMs + 500);
  }
  const finals: History['results']['finals'] = async (...query) => {
    await history.leases.release('uptime', 'first');
    t.not(await history.leases.acquire('uptime', 'second', 10_000), null);
    await clock.advance(5_000);
    return history.results.finals(...query);
  };
  const monitors = database.db.collection<{ _id: string }>('monitors');
  await monitors.updateMany({ _id: { $in: fresh.map(({ _id }) => _id) } }, { $set: { 'state.changed_at_ms': NOW } });
  t.equal(await history.newUptimeJob('first', { results: { ...history.results, finals } }).runOnce(), 1);
  await history.leases.release('uptime', 'second');
  t.equal(await history.newUptimeJob('second').runOnce(), 2, 'the next owner updates the others');
  await history.leases.release('uptime', 'second');
});

t.test('monitors that only the roll-up can compute keep no other from being computed at once', async (t) => {
  const clock = testClock(NOW);
  const history = await freshHistory(clock);
  const unrolled = Array.from({ length: UPTIME_MONITORS_MAX }, () => buildMonitor());
  await history.insertMonitors(...unrolled);
  const fresh = buildMonitor();
  const result = (monitorId: string, slotMs: number) => checkResult({ monitorId, slotMs });
  const refused = await history.deliver(
    'fra',
    unrolled.map(({ _id }) => result(_id, NOW)),
    clock.now(),
  );
  t.same(refused, []);
  await clock.advance(3 * HOUR_MS);
  await history.insertMonitors(fresh);
  await history.deliver('fra', [result(fresh._id, clock.now() - MINUTE_MS)], clock.now());
  const changed = async (ids: string[], changed_at_ms: number) => {
    const monitors = database.db.collection<{ _id: string }>('monitors');
    await monitors.updateMany({ _id: { $in: ids } }, { $set: { 'state.changed_at_ms': changed_at_ms } });
  };
  // The database finds those first that have changed first.
  const unrolledIds = unrolled.map(({ _id }) => _id);
  await changed(unrolledIds, clock.now() - 2_000);
  await changed([fresh._id], clock.now() - 1_000);
  const uptime = history.newUptimeJob();
  t.equal(await uptime.runOnce(), 0, 'one run reads no more');
  t.equal(await uptime.runOnce(), 1);
  t.equal((await history.find(fresh._id)).uptime?.day.uptime, 100);

  await history.newRollupJob().runOnce();
  await clock.advance(6 * MINUTE_MS);
  await changed(unrolledIds.slice(0, 3), clock.now() - 1_000);
  t.equal(await uptime.runOnce(), 3, 'after the next pass of the roll-up they are as the others');
});

t.test('a failed roll-up is an error in the log, because history and uptime stop with it', async (t) => {
  const clock = testClock(NOW);
  const history = await freshHistory(clock);
  const failing = async () => {
    throw new Error('no disk space');
  };
  const job = history.newRollupJob('first', { store: { ...history.rollups, watermark: failing } });
  job.start();
  await clock.advance(2 * MINUTE_MS);
  await waitFor('the log message', 30_000, () => history.errors.length > 0);
  await job.stop();
  t.match(history.errors[0], { task: 'rollup', err: { message: 'no disk space' }, msg: /rolling up results failed/ });
});

t.test('a change of status is visible in uptime before the next roll-up', async (t) => {
  const clock = testClock(NOW);
  const history = await freshHistory(clock);
  const monitor = buildMonitor();
  await history.insertMonitors(monitor);
  const uptime = history.newUptimeJob();
  t.equal((await history.find(monitor._id)).uptime, null);
  await clock.advance(61_000);
  await deliver(history, monitor._id, minutely(NOW, NOW + MINUTE_MS), (one) => one.slotMs + 500);
  const monitors = database.db.collection<{ _id: string }>('monitors');
  await monitors.updateOne({ _id: monitor._id }, { $set: { 'state.changed_at_ms': NOW } });
  t.equal(await uptime.runOnce(), 1, 'the first results are visible at once');
  t.equal((await history.find(monitor._id)).uptime?.day.uptime, 100);
  t.equal(await uptime.runOnce(), 0);

  await history.newRollupJob('one').runOnce();
  await clock.advance(61_000);
  await deliver(
    history,
    monitor._id,
    minutely(NOW + MINUTE_MS, NOW + 2 * MINUTE_MS, () => false),
    (one) => one.slotMs + 500,
  );
  await monitors.updateOne({ _id: monitor._id }, { $set: { 'state.changed_at_ms': clock.now() } });
  await clock.advance(1_000);
  t.equal(await uptime.runOnce(), 1);
  await assertUptime(history, monitor._id, clock.now());
  t.ok(((await history.find(monitor._id)).uptime?.day.uptime ?? 100) < 100);
});

t.test('the head of a deleted monitor is removed, and the windows of an idle monitor still move', async (t) => {
  const clock = testClock(NOW);
  const history = await freshHistory(clock);
  const [gone, idle] = [buildMonitor(), buildMonitor()];
  await history.insertMonitors(gone, idle);
  for (const { _id } of [gone, idle])
    await deliver(history, _id, minutely(NOW, NOW + MINUTE_MS), (one) => one.slotMs + 500);
  await clock.advance(2 * MINUTE_MS);
  const job = history.newRollupJob();
  await job.runOnce();
  t.equal((await history.rollups.heads([gone._id, idle._id])).size, 2);
  await database.db.collection<{ _id: string }>('monitors').deleteOne({ _id: gone._id });
  await clock.advance(12 * HOUR_MS);
  await job.runOnce();
  t.strictSame([...(await history.rollups.heads([gone._id, idle._id])).keys()], [idle._id]);
  await clock.advance(13 * HOUR_MS);
  await job.runOnce();
  const { uptime } = await history.find(idle._id);
  t.match(uptime?.day, { uptime: null, coverage: 0 });
  t.equal(uptime?.week.uptime, 100);
});
