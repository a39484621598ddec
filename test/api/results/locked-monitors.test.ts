import type { Db } from 'mongodb';
import t from 'tap';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { createLiveStore, type LiveStore, type LiveUpdate } from '../../../control-plane/results/live-store.js';
import { createLiveWrites } from '../../../control-plane/results/live-writes.js';
import { createWaitingStore, type WaitingStore } from '../../../control-plane/results/waiting-store.js';
import { createLogger } from '../../../kernel/logger.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { lockDocuments, lockMonitor, openWithoutLimits } from '../../helpers/locked-monitor.js';
import { buildMonitor } from '../../helpers/results/history.js';
import { liveUpdate as update } from '../../helpers/results/live-update.js';
import { neverSetAside } from '../../helpers/set-aside.js';
import { waitFor } from '../../helpers/wait.js';

const MONITORS = 20;
const LOCKED = 'mon_7';
const WAIT_MS = 60_000;
/** Each keeps one of eight places for half a second, and the last ones are not tried after three seconds. */
const LOCKED_MANY = 100;
const TRIED_MAX = 8 * 7;
const WAITING_MAX = 10_000;

const logger = createLogger({ name: 'test', level: 'silent' });

/** The live writes of a control plane. */
const of = (db: Db, owner = 'a') => ({
  live: createLiveStore(db, neverSetAside),
  waiting: createWaitingStore(db),
  owner,
});
const NOT_STORED: WaitingStore = { keep: async () => {}, remove: async () => {}, kept: async () => [] };

t.test('results of a monitor that a dead transaction has locked do not keep the others waiting', async (t) => {
  const mongo = await testDatabase();
  const monitors = mongo.db.collection<MonitorDocument>('monitors');
  const ids = Array.from({ length: MONITORS }, (_, n) => `mon_${n}`);
  await monitors.insertMany(ids.map((_id) => buildMonitor({ _id })));
  const clock = testClock();
  const parts = of(mongo.db);
  const applied: string[][] = [];
  const live: LiveStore = {
    ...parts.live,
    apply(updates) {
      applied.push(updates.map(({ monitorId }) => monitorId));
      return parts.live.apply(updates);
    },
  };
  const writes = createLiveWrites({ ...parts, live, clock, logger });
  const batch = (checkedAtMs: number) => ids.map((id) => update(id, checkedAtMs));
  const checkedAt = async (id: string) => (await monitors.findOne({ _id: id }))?.live['fra']?.checked_at_ms;
  await writes.start();
  const release = await lockMonitor(mongo.uri, LOCKED);
  t.teardown(async () => {
    await release();
    await writes.stop();
    await mongo.drop();
  });

  /** On a slow machine, some of the others are written by a later try. */
  const othersAt = (checkedAtMs: number) =>
    waitFor('the results of the others', WAIT_MS, async () => {
      const found = await Promise.all(ids.filter((id) => id !== LOCKED).map(checkedAt));
      if (found.every((at) => at === checkedAtMs)) return true;
      await clock.advance(1_000);
      return false;
    });
  await writes.apply(batch(1_000));
  await othersAt(1_000);
  t.equal(await checkedAt(LOCKED), undefined, 'it is still locked');

  await writes.apply(batch(2_000));
  await othersAt(2_000);
  t.same(
    applied.map((written) => written.includes(LOCKED)),
    [true, false],
    'the next batch does not wait at all',
  );

  await release();
  await waitFor('the results of the locked monitor', WAIT_MS, async () => {
    await clock.advance(1_000);
    return (await checkedAt(LOCKED)) === 2_000;
  });
});

t.test('many locked monitors are given up together, and those that were not tried come first', async (t) => {
  const mongo = await testDatabase();
  const monitors = mongo.db.collection<MonitorDocument>('monitors');
  const ids = Array.from({ length: LOCKED_MANY }, (_, n) => `mon_${n}`);
  await monitors.insertMany([...ids, 'mon_free'].map((_id) => buildMonitor({ _id })));
  const counted = await openWithoutLimits(mongo.uri);
  let tried = 0;
  counted.client.on('commandStarted', ({ commandName }) => {
    if (commandName === 'update') tried += 1;
  });
  const release = await lockDocuments<MonitorDocument>(mongo.uri, 'monitors', { _id: { $in: ids } });
  t.teardown(async () => {
    await release();
    await counted.close();
    await mongo.drop();
  });

  const live = createLiveStore(counted.db, neverSetAside);
  const left = await live.applyEach([...ids, 'mon_free'].map((id) => update(id, 1_000)));
  t.ok(tried > 0 && tried <= TRIED_MAX, `${tried} of ${LOCKED_MANY} locked monitors were tried`);
  t.equal(left.length, LOCKED_MANY + 1);
  const placeOf = (id: string) => left.findIndex(({ monitorId }) => monitorId === id);
  const place = placeOf('mon_free');
  t.ok(place < placeOf('mon_0'));
  await waitFor('the free one', WAIT_MS, async () => (await live.applyEach(left.slice(place, place + 1))).length === 0);
  t.equal((await monitors.findOne({ _id: 'mon_free' }))?.live['fra']?.checked_at_ms, 1_000);
});

/** A store in which monitors are locked by name. */
function fakeLive(locked: Set<string>) {
  const written: LiveUpdate[] = [];
  const write = async (updates: readonly LiveUpdate[]) => {
    written.push(...updates.filter(({ monitorId }) => !locked.has(monitorId)));
    return updates.filter(({ monitorId }) => locked.has(monitorId));
  };
  const live: LiveStore = { apply: write, applyEach: write };
  return { live, written };
}

t.test('of each locked monitor and location only the newest results wait', async (t) => {
  const locked = new Set(['mon_1']);
  const { live, written } = fakeLive(locked);
  const clock = testClock();
  const writes = createLiveWrites({ live, waiting: NOT_STORED, owner: 'a', clock, logger });
  const [good, failed] = [update('mon_1', 4_000), update('mon_1', 5_000, { up: false })];
  const elsewhere = { ...update('mon_1', 1_000), location: 'nyc' };
  const later = { ...update('mon_1', 2_000), monitorVersion: 2 };
  await writes.start();
  for (const one of [update('mon_1', 1_000), failed, elsewhere, good, update('mon_1', 3_000), later]) {
    await writes.apply([one]);
  }
  await clock.advance(1_000);
  t.same(written, []);
  locked.clear();
  await clock.advance(1_000);
  for (const one of [failed, good, elsewhere, later]) t.ok(written.includes(one));
  await clock.advance(1_000);
  t.equal(written.length, 4, 'once');
  await writes.stop();
});

t.test('when too many results wait, only batches with a result of another locked monitor are refused', async (t) => {
  const ids = Array.from({ length: WAITING_MAX }, (_, n) => `mon_${n}`);
  const { live, written } = fakeLive(new Set([...ids, 'mon_more']));
  const writes = createLiveWrites({ live, waiting: NOT_STORED, owner: 'a', clock: testClock(), logger });
  await writes.apply(ids.map((id) => update(id, 1_000)));
  await writes.apply([update('mon_free', 1_000)]);
  t.match(written, [{ monitorId: 'mon_free' }]);
  await t.resolves(writes.apply(ids.map((id) => update(id, 2_000))), 'newer results take no more room');
  await t.rejects(writes.apply([update('mon_more', 1_000), update('mon_free', 2_000)]), /too many results wait/);
  t.equal(written.length, 2, 'what is not locked is written nevertheless');
});

t.test('the end of the process waits a second for locked monitors', async (t) => {
  const clock = testClock();
  const applyEach = () => new Promise<never>(() => {});
  const hanging = createLiveWrites({
    ...{ live: { apply: async (all: readonly LiveUpdate[]) => all, applyEach }, waiting: NOT_STORED, owner: 'a' },
    ...{ clock, logger },
  });
  await hanging.apply([update('mon_1', 1_000)]);
  const stopped = hanging.stop();
  await clock.advance(1_000);
  await t.resolves(async () => stopped);

  const live = { apply: async (all: readonly LiveUpdate[]) => all, applyEach: () => Promise.reject(new Error('away')) };
  const failing = createLiveWrites({ live, waiting: NOT_STORED, owner: 'a', clock, logger });
  await failing.apply([update('mon_1', 1_000)]);
  await t.resolves(async () => failing.stop(), 'without a database as well');
});

t.test('acknowledged results of a locked monitor survive the control plane that keeps them', async (t) => {
  const mongo = await testDatabase();
  const monitors = mongo.db.collection<MonitorDocument>('monitors');
  const stored = mongo.db.collection('results_waiting');
  await monitors.insertOne(buildMonitor({ _id: LOCKED }));
  const release = await lockMonitor(mongo.uri, LOCKED);
  const others = [createLiveWrites({ ...of(mongo.db, 'b'), clock: testClock(), logger })];
  t.teardown(async () => {
    await release();
    for (const other of others) await other.stop();
    await mongo.drop();
  });

  // Nothing stops it: it is killed.
  const killed = createLiveWrites({ ...of(mongo.db), clock: testClock(), logger });
  await killed.apply([update(LOCKED, 1_000)]);
  await killed.apply([update(LOCKED, 2_000, { up: false })]);
  t.equal(await stored.countDocuments(), 1);
  await release();

  const clock = testClock();
  const successor = createLiveWrites({ ...of(mongo.db, 'c'), clock, logger });
  others.push(successor);
  await successor.start();
  const monitor = () => monitors.findOne({ _id: LOCKED });
  await clock.advance(0);
  await waitFor('the failure', WAIT_MS, async () => (await monitor())?.live['fra']?.up === false);
  // The success may be written after the failure. What waits is removed after all of it is written.
  await waitFor('nothing waits', WAIT_MS, async () => (await stored.countDocuments()) === 0);
  t.match(await monitor(), { good: { fra: { checked_at_ms: 1_000 } }, state: { attention: true } });
});

t.test('a control plane that goes on writes what a killed one has kept', async (t) => {
  const mongo = await testDatabase();
  const monitors = mongo.db.collection<MonitorDocument>('monitors');
  const stored = mongo.db.collection('results_waiting');
  await monitors.insertOne(buildMonitor({ _id: LOCKED }));
  const clock = testClock();
  const survivor = createLiveWrites({ ...of(mongo.db, 'b'), clock, logger });
  const killed = createLiveWrites({ ...of(mongo.db), clock: testClock(), logger });
  const release = await lockMonitor(mongo.uri, LOCKED);
  t.teardown(async () => {
    await release();
    await survivor.stop();
    await mongo.drop();
  });
  await survivor.start();
  await clock.advance(0);
  await killed.apply([update(LOCKED, 1_000, { up: false })]);
  await release();
  await stored.updateMany({}, { $set: { kept_at: new Date(Date.now() - 61_000) } });
  await waitFor('the failure', WAIT_MS, async () => {
    await clock.advance(10_000);
    return (await monitors.findOne({ _id: LOCKED }))?.live['fra']?.up === false;
  });
  await waitFor('nothing waits', WAIT_MS, async () => (await stored.countDocuments()) === 0);
});

t.test('what was kept again since is not removed', async (t) => {
  const mongo = await testDatabase();
  t.teardown(() => mongo.drop());
  const waiting = createWaitingStore(mongo.db);
  const kept = (revision: number) => ({ id: 'a/1', revision, updates: [update(LOCKED, revision)] });
  await waiting.keep([kept(1)]);
  await waiting.keep([kept(2)]);
  await waiting.remove([kept(1)]);
  t.same(await waiting.kept(0, 10), [kept(2)]);
  t.same(await waiting.kept(60_000, 10), []);
  await waiting.remove([kept(2)]);
  t.same(await waiting.kept(0, 10), []);
});
