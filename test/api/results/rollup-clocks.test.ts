import t from 'tap';
import { arrivalMs, NO_ARRIVAL } from '../../../control-plane/results/rollup/arrival.js';
import { HOUR_MS, MINUTE_MS } from '../../../control-plane/results/rollup/slots.js';
import type { Clock } from '../../../kernel/clock.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildHistory, buildMonitor, checkResult, type History } from '../../helpers/results/history.js';
import { assertRolledUp, assertUptime } from '../../helpers/results/rolled-up.js';

// In the future, because the database removes what has expired by its own clock.
const NOW = Date.UTC(2031, 0, 31, 12);
const DAY_MS = 86_400_000;
const database = await testDatabase();
t.teardown(() => database.drop());

/** Removes everything of an earlier test. */
async function removeAll(): Promise<void> {
  const names = ['monitors', 'results', 'result_minutes', 'result_hours', 'rollup_heads', 'rollup_state', 'leases'];
  await Promise.all(names.map((name) => database.db.collection(name).deleteMany({})));
}

/** A clock that is some time ahead of another. */
function aheadOf(clock: Clock, aheadMs: number): Clock {
  return { ...clock, now: () => clock.now() + aheadMs };
}

/** Delivers the result of a check that was made now, by the clock of this control plane and of its probes. */
async function deliver(history: History, monitorId: string, location: string): Promise<void> {
  const nowMs = history.clock.now();
  const result = checkResult({ monitorId, slotMs: nowMs, responseTimeMs: 20 + (nowMs % 7) });
  const refused = await history.deliver(location, [result], nowMs);
  if (refused.length > 0) throw new Error(JSON.stringify(refused));
}

for (const [name, aheadMs] of [
  ['60 s slow', -60_000],
  ['60 s fast', 60_000],
  ['10 minutes slow', -600_000],
] as const) {
  for (const roller of ['right', 'wrong'] as const) {
    t.test(`with one clock ${name}, the roll-up of the ${roller} control plane loses no result`, async (t) => {
      const clock = testClock(NOW);
      await removeAll();
      const right = await buildHistory(database, { clock });
      const wrong = await buildHistory(database, { clock: aheadOf(clock, aheadMs) });
      const of = { right, wrong };
      const [old, late] = [buildMonitor({ created_at_ms: NOW }), buildMonitor({ created_at_ms: NOW + aheadMs })];
      await right.insertMonitors(old, late);
      await wrong.directory.refresh([old._id, late._id]);
      const job = of[roller].newRollupJob(roller);
      for (let minute = 0; minute < 65; minute++) {
        for (const [index, location] of ['fra', 'nyc', 'sin'].entries()) {
          // A pass between results: the next ones arrive just after it.
          if (minute % 5 === 4 && index === minute % 3) await job.runOnce();
          const through = location === 'fra' ? right : wrong;
          await deliver(through, old._id, location);
          if (minute >= 30) await deliver(through, late._id, location);
          await clock.advance(20_000);
        }
      }
      await clock.advance(6 * MINUTE_MS);
      await job.runOnce();
      for (const { _id } of [old, late]) {
        await assertRolledUp(right, _id);
        await assertUptime(right, _id, of[roller].clock.now());
        const { through_ms } = (await right.rollups.heads([_id])).get(_id)?.head ?? { through_ms: 0 };
        t.ok(through_ms >= of[roller].clock.now() - 2 * MINUTE_MS, 'up to the present of the roll-up');
      }
      t.ok((await right.rollups.hours({ workspaceId: 'ws_history', monitorId: old._id }, 0, NOW + DAY_MS)).size > 0);
      await of[roller].leases.release('rollup', roller);
    });
  }
}

t.test('the database gives each result its place, whatever the clock of the control plane says', async (t) => {
  const clock = testClock(NOW);
  const history = await buildHistory(database, { clock });
  const monitor = buildMonitor({ created_at_ms: NOW });
  await history.insertMonitors(monitor);
  const read = async (after: bigint, limit = 1_000) => {
    const slots: number[] = [];
    const { count, last } = await history.results.arrived(after, limit, ({ monitor_id, slot_ms }) => {
      if (monitor_id === monitor._id) slots.push(slot_ms);
    });
    t.equal(count, slots.length);
    return { slots, last };
  };
  const { last: before } = await history.results.arrived(NO_ARRIVAL, 100_000, () => undefined);
  t.strictSame(await read(before), { slots: [], last: before });
  const results = [3, 1, 2, 0].map((minute) =>
    checkResult({ monitorId: monitor._id, slotMs: NOW - minute * MINUTE_MS }),
  );
  const startedMs = Math.floor(Date.now() / 1_000) * 1_000;
  await history.deliver('fra', results.slice(0, 2), NOW);
  const first = await read(before);
  await history.deliver('nyc', results.slice(2), NOW - 4_000);
  await history.deliver('fra', results.slice(0, 2), NOW + MINUTE_MS);
  t.same(first.slots, [NOW - 3 * MINUTE_MS, NOW - MINUTE_MS]);
  t.same((await read(first.last)).slots, [NOW - 2 * MINUTE_MS, NOW], 'a repeated result keeps its place');
  const atMs = arrivalMs(first.last);
  t.ok(startedMs <= atMs && atMs <= Date.now(), 'the time is that of the database');
  const pages: number[] = [];
  for (let after = before; pages.length < 4; ) {
    const page = await read(after, 1);
    t.equal(page.slots.length, 1);
    pages.push(...page.slots);
    after = page.last;
  }
  t.same(pages, [...first.slots, NOW - 2 * MINUTE_MS, NOW], 'no two results have the same place');

  const asked: bigint[] = [];
  const arrived: History['results']['arrived'] = (after, ...rest) => {
    asked.push(after);
    return history.results.arrived(after, ...rest);
  };
  await history.newRollupJob('one', { results: { ...history.results, arrived } }).runOnce();
  const { last } = await read(before);
  t.equal(await history.rollups.watermark(), last, 'the watermark is the last result that was read');
  await history.newRollupJob('one', { results: { ...history.results, arrived } }).runOnce();
  t.equal(arrivalMs(last) - arrivalMs(asked.at(-1) ?? last), 45_000, 'results of the last 45 s are read again');
  t.equal(await history.rollups.watermark(), last, 'a pass without results keeps it');
});

t.test(
  'a pause by a control plane with a slow clock counts after the monitor was resumed, and is written once',
  async (t) => {
    const clock = testClock(NOW);
    const history = await buildHistory(database, { clock });
    const monitor = buildMonitor({ created_at_ms: NOW });
    await history.insertMonitors(monitor);
    const written: number[] = [];
    const notePauses: History['rollups']['notePauses'] = async (pauses, nowMs) => {
      written.push(...pauses.map(({ pausedAtMs }) => pausedAtMs));
      await history.rollups.notePauses(pauses, nowMs);
    };
    const uptime = history.newUptimeJob('one', { store: { ...history.rollups, notePauses } });
    await uptime.runOnce();
    await clock.advance(HOUR_MS);
    await uptime.runOnce();
    const pausedMs = clock.now() - 5 * MINUTE_MS;
    const monitors = database.db.collection<{ _id: string }>('monitors');
    await monitors.updateOne({ _id: monitor._id }, { $set: { paused_at_ms: pausedMs } });
    await clock.advance(3_000);
    await uptime.runOnce();
    await uptime.runOnce();
    await monitors.updateOne({ _id: monitor._id }, { $set: { paused_at_ms: null } });
    await uptime.runOnce();
    t.strictSame((await history.rollups.heads([monitor._id])).get(monitor._id)?.pausesMs, [pausedMs]);
    t.strictSame(written, [pausedMs]);
  },
);
