import t, { type Test } from 'tap';
import { createAuditLog } from '../../../control-plane/audit/record.js';
import { createAuditStore } from '../../../control-plane/audit/store.js';
import { createWindow } from '../../../control-plane/maintenance/create.js';
import type { PastWindowDocument } from '../../../control-plane/maintenance/documents.js';
import { endWindow, extendWindow } from '../../../control-plane/maintenance/occurrence.js';
import { removeWindow } from '../../../control-plane/maintenance/remove.js';
import { updateWindow } from '../../../control-plane/maintenance/update.js';
import type { MonitorChange, MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { createReferenceLock } from '../../../control-plane/references/lock.js';
import { createHoursReader, createSlotsReader } from '../../../control-plane/results/read-metrics.js';
import { HOUR_MS, MINUTE_MS } from '../../../control-plane/results/rollup/slots.js';
import { createUptimeAtRead } from '../../../control-plane/results/uptime/at-read.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { systemRandom } from '../../../kernel/random.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { openRecords } from '../../helpers/maintenance/windows-of-verdicts.js';
import { buildHistory, buildMonitor, checkResult } from '../../helpers/results/history.js';
import { person } from '../../helpers/verdicts/setup.js';

// In the future, because the database removes what has expired by its own clock.
const NOON = Date.UTC(2031, 0, 31, 12);
const WORKSPACE = 'ws_history';
const LOCATIONS = ['fra'];
const LEFT_OUT = { counts_in_uptime: false };

async function world(t: Test) {
  const database = await testDatabase();
  t.teardown(() => database.drop());
  const clock = testClock(NOON);
  const records = openRecords(database, clock);
  const auditStore = createAuditStore(database.db);
  for (const store of [records.store, records.past, auditStore]) await store.ensureIndexes();
  const history = await buildHistory(database, { clock, maintenance: records.cache });
  const runTransaction = createRunTransaction(database.client);
  const ids = createIds(clock, systemRandom);
  const all = async (_tx: unknown, _workspaceId: string, wanted: readonly string[]) => new Set(wanted);
  const needs = {
    ...records,
    clock,
    ids,
    existingMonitors: all,
    existingServers: all,
    audit: createAuditLog({ store: auditStore, ids }),
    referenceLock: createReferenceLock(database.db),
  };
  const actor = person('ada@example.com', WORKSPACE);
  const rollup = history.newRollupJob();
  const monitors = database.db.collection<MonitorDocument>('monitors');
  let slotMs = NOON;
  return {
    database,
    history,
    clock,
    records,
    monitors,
    async monitor(over: Partial<MonitorDocument> = {}) {
      const times = { created_at_ms: NOON, updated_at_ms: NOON };
      const monitor = buildMonitor({ locations: LOCATIONS, ...times, ...over });
      await history.insertMonitors(monitor);
      return monitor._id;
    },
    /** Passes minutes with one check in each. */
    async pass(minutes: number, up: boolean, ids: readonly string[]) {
      for (const endMs = slotMs + minutes * MINUTE_MS; slotMs < endMs; slotMs += MINUTE_MS) {
        await clock.advance(slotMs + 100 - clock.now());
        await deliver(ids, [slotMs], up);
      }
      await clock.advance(slotMs - clock.now());
      const status = up ? ('up' as const) : ('down' as const);
      await monitors.updateMany({ _id: { $in: [...ids] } }, { $set: { 'state.status': status } });
    },
    /** A result that a probe kept on its disk. */
    late: (id: string, atMs: number, up: boolean) => deliver([id], [atMs], up),
    async rollUp() {
      await clock.advance(20_000);
      slotMs += MINUTE_MS;
      await rollup.runOnce();
      await clock.advance(slotMs - clock.now());
    },
    /** The uptime as the API shows it, of the last day. */
    async shown(id: string) {
      const monitor = await history.find(id);
      return createUptimeAtRead(records.cache)(monitor, clock.now())?.day;
    },
    async leftOutMinutes(id: string) {
      const slots = await history.rollups.minutes({ workspaceId: WORKSPACE, monitorId: id }, NOON, clock.now());
      return [...slots].filter(([, slot]) => slot.left_out_ms > 0).map(([atMs]) => (atMs - NOON) / MINUTE_MS);
    },
    /** The hours that a report of a client reads. */
    async reported(id: string) {
      const read = createHoursReader(createSlotsReader({ ...history, store: history.rollups }));
      return read(await history.find(id), NOON, NOON + HOUR_MS);
    },
    setTags: (id: string, tags: string[]) =>
      runTransaction(async (tx) => {
        const monitor = await history.find(id);
        const change: MonitorChange = { tags, updated_at_ms: clock.now() };
        if (!(await history.monitors.changeAll(tx, WORKSPACE, [{ monitor, change }]))) throw new Error('outdated');
      }),
    windows: {
      open: (minutes: number, settings: object) =>
        runTransaction((tx) =>
          createWindow(needs, tx, actor, {
            name: 'Upgrade',
            starts_at: new Date(clock.now()).toISOString(),
            ends_at: new Date(clock.now() + minutes * MINUTE_MS).toISOString(),
            ...settings,
          }),
        ),
      end: (id: string) => runTransaction((tx) => endWindow(needs, tx, actor, { id, ifVersion: null })),
      extend: (id: string, minutes: number) =>
        runTransaction((tx) => extendWindow(needs, tx, actor, { id, minutes, ifVersion: null })),
      update: (id: string, patch: object) =>
        runTransaction((tx) => updateWindow(needs, tx, actor, { id, patch, ifVersion: null })),
      remove: (id: string) => runTransaction((tx) => removeWindow(needs, tx, actor, { id, ifVersion: null })),
    },
  };

  async function deliver(ids: readonly string[], slots: readonly number[], up: boolean) {
    for (const id of ids) {
      for (const atMs of slots) {
        const result = checkResult({ monitorId: id, slotMs: atMs }, up ? null : 'connect_timeout');
        const refused = await history.deliver('fra', [result], clock.now());
        if (refused.length > 0) throw new Error(JSON.stringify(refused));
      }
    }
  }
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

t.test(
  'maintenance that does not count is neither up nor down, and stays so whatever happens to the window',
  async (t) => {
    const { monitor, pass, windows, rollUp, shown, leftOutMinutes, reported, late, history } = await world(t);
    const [covered, other] = [await monitor({ tags: ['shop'] }), await monitor()];
    const both = [covered, other];
    await pass(10, true, both);
    const window = await windows.open(60, { tags: ['shop'], ...LEFT_OUT });
    await pass(10, false, both);
    await windows.end(window._id);
    await pass(5, true, both);
    await rollUp();

    t.same(await leftOutMinutes(covered), range(10, 20));
    t.match(await shown(covered), { uptime: 100, left_out_ms: 10 * MINUTE_MS });
    t.match(await shown(other), { left_out_ms: 0 });
    t.ok(((await shown(other))?.uptime ?? 100) < 70);
    t.equal((await shown(covered))?.coverage, (await shown(other))?.coverage, 'what is left out was observed');
    const [hour] = await reported(covered);
    t.match(hour, { leftOutMs: 10 * MINUTE_MS, observedMs: hour?.upMs });

    // Results that arrive late make the roll-up compute the whole hour again.
    await windows.remove(window._id);
    await late(covered, NOON + 12.5 * MINUTE_MS, false);
    await rollUp();
    t.same(await leftOutMinutes(covered), range(10, 20));
    t.match(await shown(covered), { uptime: 100, left_out_ms: 10 * MINUTE_MS });
    t.equal((await history.rollups.heads([covered])).size, 1);
  },
);

t.test('an uptime that is read during maintenance leaves the time since its computation out, too', async (t) => {
  const { monitor, pass, windows, rollUp, shown } = await world(t);
  const id = await monitor();
  await pass(30, true, [id]);
  await windows.open(60, { monitor_ids: [id], ...LEFT_OUT });
  await rollUp();
  await pass(4, false, [id]);
  const computed = await shown(id);
  t.equal(computed?.uptime, 100);
  t.equal(computed?.left_out_ms, 280_000, 'from the roll-up, 20 s after the minute, until now');
  await rollUp();
  t.equal((await shown(id))?.uptime, 100);
});

t.test(
  'what changes during maintenance applies from then on: the end, the targets, the choice, and tags',
  async (t) => {
    const { monitor, pass, windows, rollUp, leftOutMinutes, late, setTags } = await world(t);
    const [first, second, third] = [await monitor(), await monitor(), await monitor({ tags: ['db'] })];
    const all = [first, second, third];
    const window = await windows.open(5, { monitor_ids: [first], ...LEFT_OUT });
    const tagged = await windows.open(60, { tags: ['db'], ...LEFT_OUT });
    await pass(3, true, all);
    await windows.extend(window._id, 5);
    await pass(2, true, all);
    await windows.update(window._id, { monitor_ids: [second] });
    await setTags(third, ['web']);
    await pass(2, true, all);
    await windows.update(window._id, { counts_in_uptime: true });
    await windows.update(tagged._id, { tags: ['web'] });
    await pass(2, true, all);
    await setTags(third, []);
    await pass(2, true, all);
    await rollUp();
    const check = async () => {
      t.same(await leftOutMinutes(first), range(0, 5));
      t.same(await leftOutMinutes(second), range(5, 7));
      t.same(await leftOutMinutes(third), [...range(0, 5), ...range(7, 9)], 'while it had a tag of the window');
    };
    await check();
    for (const id of all) await late(id, NOON + 30_000, true);
    await rollUp();
    await check();
  },
);

t.test('a window leaves out nothing from before it was made', async (t) => {
  const { monitor, pass, windows, rollUp, leftOutMinutes, clock } = await world(t);
  const id = await monitor();
  await pass(10, false, [id]);
  const starts_at = new Date(clock.now() - 10 * MINUTE_MS).toISOString();
  await windows.open(5, { starts_at, everything: true, ...LEFT_OUT });
  await pass(7, false, [id]);
  await rollUp();
  t.same(await leftOutMinutes(id), range(10, 15));
});

t.test('maintenance counts in uptime unless the window says otherwise', async (t) => {
  const { monitor, pass, windows, rollUp, shown, leftOutMinutes, database } = await world(t);
  const id = await monitor();
  const window = await windows.open(20, { everything: true });
  await pass(10, false, [id]);
  await windows.update(window._id, { name: 'Other' });
  await rollUp();
  t.same(await leftOutMinutes(id), []);
  t.match(await shown(id), { uptime: 0, left_out_ms: 0 });
  t.equal(await database.db.collection('maintenance_past').countDocuments(), 0, 'nothing is kept for it');
});

t.test('another control plane knows what a deleted window left out', async (t) => {
  const { monitor, pass, windows, records, clock, database, monitors } = await world(t);
  const id = await monitor();
  const window = await windows.open(20, { everything: true, ...LEFT_OUT });
  await pass(10, true, [id]);
  await windows.remove(window._id);
  const { cache } = openRecords(database, clock);
  await cache.ready();
  const stored = await monitors.findOne({ _id: id });
  if (stored === null) throw new Error('no monitor');
  const spans = [{ from_ms: NOON, to_ms: NOON + 10 * MINUTE_MS }];
  t.same(cache.leftOut(stored, NOON - HOUR_MS, NOON + HOUR_MS), spans);
  t.same(records.cache.leftOut(stored, NOON - HOUR_MS, NOON + HOUR_MS), spans);
  t.same(cache.leftOut({ ...stored, workspace_id: 'ws_other' }, NOON - HOUR_MS, NOON + HOUR_MS), []);
});

/** An earlier version that left out `from` to `to` minutes of the last hour before noon. */
const pastVersion = (id: string, tags: string[], from: number, to: number): PastWindowDocument => {
  const [from_ms, to_ms] = [from, to].map((minute) => NOON - HOUR_MS + minute * MINUTE_MS) as [number, number];
  const schedule = { starts_at_ms: from_ms, ends_at_ms: to_ms, recurrence: null, extension: null, cut: null };
  const targets = { everything: false, monitor_ids: [], server_ids: [], tags };
  const times = { from_ms, until_ms: to_ms, expires_at: new Date(NOON + HOUR_MS) };
  return { _id: id, workspace_id: WORKSPACE, ...schedule, ...targets, ...times };
};

t.test('with 1,000 earlier versions a window can be ended and deleted, and what was left out stays so', async (t) => {
  const { database, windows, pass, monitor, monitors, clock } = await world(t);
  const id = await monitor({ tags: ['odd'] });
  const [ended, removed] = [
    await windows.open(20, { tags: ['odd'], ...LEFT_OUT }),
    await windows.open(20, { tags: ['odd'], ...LEFT_OUT }),
  ];
  const past = database.db.collection<PastWindowDocument>('maintenance_past');
  const tenth = (index: number) => 3 * (index % 20);
  await past.insertMany(
    range(0, 1_000).map((index) =>
      pastVersion(`mnt_x/${index}`, [index % 2 === 1 ? 'odd' : 'even'], tenth(index), tenth(index) + 2),
    ),
  );
  await pass(2, true, [id]);
  const stored = await monitors.findOne({ _id: id });
  if (stored === null) throw new Error('no monitor');
  const leftOut = async () => {
    const { cache } = openRecords(database, clock);
    await cache.ready();
    return cache.leftOut(stored, NOON - HOUR_MS, clock.now());
  };
  const before = await leftOut();
  t.equal(before.length, 11, 'ten times before noon, and the windows');
  await windows.end(ended._id);
  t.equal(await past.countDocuments(), 3, 'one for each choice of targets, and the window');
  await windows.remove(removed._id);
  t.same(await leftOut(), before);
  await windows.open(20, { tags: ['new'], ...LEFT_OUT });
});

t.test('different choices of targets have a limit, which keeps no window from its end', async (t) => {
  const { database, windows, pass, monitor } = await world(t);
  const id = await monitor();
  const [first, second] = [
    await windows.open(20, { everything: true, ...LEFT_OUT }),
    await windows.open(20, { everything: true, ...LEFT_OUT }),
  ];
  await pass(1, true, [id]);
  const past = database.db.collection<PastWindowDocument>('maintenance_past');
  await past.insertMany(range(0, 1_000).map((index) => pastVersion(`mnt_x/${index}`, [`tag-${index}`], 0, 5)));
  await t.rejects(windows.open(20, { tags: ['new'], ...LEFT_OUT }), { code: 'conflict' });
  await t.rejects(windows.update(first._id, { everything: false, tags: ['new'] }), { code: 'conflict' });
  await windows.extend(first._id, 5);
  await windows.end(first._id);
  await windows.remove(second._id);
  const counting = await windows.open(20, { everything: true });
  await pass(1, true, [id]);
  await t.resolves(windows.end(counting._id));
});
