import t from 'tap';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { testDatabase } from '../../helpers/database.js';
import { lockDocuments, lockMonitor } from '../../helpers/locked-monitor.js';
import { LOCATIONS, liveResult, setUpVerdicts } from '../../helpers/verdicts/setup.js';
import { waitFor } from '../../helpers/wait.js';

/** As many as are evaluated together. */
const MONITORS = 50;
const LOCKED = 'mon_23';
/** The locks last for an hour. It takes 5 s of conflicts to find out that monitors are locked. */
const OPENED_MS_MAX = 90_000;

t.test('a monitor that a dead transaction has locked delays the others by seconds', async (t) => {
  const database = await testDatabase();
  const it = await setUpVerdicts(database.uri);
  await it.ensureIndexes();
  const ids = Array.from({ length: MONITORS }, (_, n) => `mon_${n}`);
  const failing = Object.fromEntries(LOCATIONS.map((code) => [code, liveResult(false, it.clock.now())]));
  for (const _id of ids) await it.insert({ _id, name: _id, live: failing });
  const release = await lockMonitor(database.uri, LOCKED);
  t.teardown(async () => {
    await release();
    await it.stop();
    await database.drop();
  });

  const evaluation = it.evaluator.evaluate(ids);
  evaluation.catch(() => {});
  await waitFor('the incidents of the others', OPENED_MS_MAX, async () => (await it.all()).length === MONITORS - 1);
  t.equal(await it.open(LOCKED), null);
  await t.rejects(evaluation, { name: 'TransactionTimeout' }, 'the sweep repeats it');

  await release();
  await it.evaluator.evaluate([LOCKED]);
  const opened = await waitFor('the incident of the locked one', OPENED_MS_MAX, () => it.open(LOCKED));
  t.match(opened, { status: 'firing' });
});

t.test('several write conflicts tell a locked monitor from a slow database', async (t) => {
  const database = await testDatabase();
  t.teardown(() => database.drop());
  const monitors = database.db.collection<MonitorDocument>('monitors');
  const lock = { conflicts: 4, afterMs: 0 };
  const runTransaction = createRunTransaction(database.client, { transactionMs: 60_000, commitMs: 10_000, lock });
  /** Resolves to the number of tries, before one of which the monitor is unlocked. */
  const tries = async (id: string, unlockedAt: number) => {
    await database.db.collection<{ _id: string }>('monitors').insertOne({ _id: id });
    const release = await lockMonitor(database.uri, id);
    let tried = 0;
    await runTransaction(async ({ session }) => {
      tried += 1;
      if (tried === unlockedAt) await release();
      await monitors.updateOne({ _id: id }, { $inc: { 'state.revision': 1 } }, { session });
    }).finally(release);
    return tried;
  };
  t.equal(await tries('mon_1', 4), 4);
  await t.rejects(tries('mon_2', 6), { name: 'TransactionTimeout', conflicts: 4 });
});

t.test('the end of the process does not wait until a locked monitor is evaluated', async (t) => {
  const database = await testDatabase();
  const it = await setUpVerdicts(database.uri);
  await it.ensureIndexes();
  const live = Object.fromEntries(LOCATIONS.map((code) => [code, liveResult(false, it.clock.now())]));
  await it.insert({ _id: LOCKED, live });
  const release = await lockMonitor(database.uri, LOCKED);
  t.teardown(async () => {
    await it.stop();
    await database.drop();
  });

  let ended = false;
  const evaluation = it.evaluator.evaluate([LOCKED]).finally(() => {
    ended = true;
  });
  const stopped = it.evaluator.stop();
  await it.clock.advance(1_000);
  await stopped;
  t.notOk(ended);
  await release();
  await evaluation;
  t.match(await it.open(LOCKED), { status: 'firing' }, 'it goes on until then');
});

t.test('locked monitors are evaluated by themselves, and new outages of others open meanwhile', async (t) => {
  const database = await testDatabase();
  const it = await setUpVerdicts(`${database.uri}&monitorCommands=true`);
  await it.ensureIndexes();
  const failing = Object.fromEntries(LOCATIONS.map((code) => [code, liveResult(false, it.clock.now())]));
  // As many as the groups that are evaluated at a time.
  const ids = Array.from({ length: 2 * MONITORS }, (_, n) => `mon_${n}`);
  for (const _id of [...ids, 'mon_new', 'mon_newer']) await it.insert({ _id, name: _id, live: failing });
  const release = await lockDocuments<MonitorDocument>(database.uri, 'monitors', { _id: { $in: ids } });
  t.teardown(async () => {
    await release();
    await it.stop();
    await database.drop();
  });
  // Each try for a lock is a write of this field.
  let tries = 0;
  it.mongo.client.on('commandStarted', ({ command }) => {
    if (JSON.stringify(command['updates'] ?? '').includes('lock_probe')) tries += 1;
  });

  const evaluation = it.evaluator.evaluate(ids);
  evaluation.catch(() => {});
  await it.evaluator.evaluate(['mon_new']);
  t.match(await it.open('mon_new'), { status: 'firing' });
  await t.rejects(evaluation, { name: 'TransactionTimeout' });
  t.ok(tries >= ids.length, 'the locked ones were found');

  const before = tries;
  await it.evaluator.evaluate([...ids, 'mon_newer']);
  t.match(await it.open('mon_newer'), { status: 'firing' });
  t.equal(tries, before, 'nothing waits for those that are known to be locked');

  await release();
  await it.evaluator.evaluate(ids);
  await waitFor(
    'the incidents of the locked ones',
    OPENED_MS_MAX,
    async () => (await it.all()).length === ids.length + 2,
  );
  await it.evaluator.evaluate(ids);
});

t.test('a locked monitor does not delay the requested checks of its group', async (t) => {
  const database = await testDatabase();
  const it = await setUpVerdicts(database.uri);
  await it.ensureIndexes();
  const [first = '', ...others] = LOCATIONS;
  const live = {
    [first]: liveResult(false, it.clock.now()),
    ...Object.fromEntries(others.map((code) => [code, liveResult(true, it.clock.now() - 30_000)])),
  };
  for (const _id of [LOCKED, 'mon_free']) await it.insert({ _id, live });
  const release = await lockMonitor(database.uri, LOCKED);
  t.teardown(async () => {
    await release();
    await it.stop();
    await database.drop();
  });
  await t.rejects(it.evaluator.evaluate([LOCKED, 'mon_free']), { name: 'StatesTimeout' });
  t.ok(it.commands.some(({ monitorId }) => monitorId === 'mon_free'));
  t.notOk(it.commands.some(({ monitorId }) => monitorId === LOCKED));
});
