import t, { type Test } from 'tap';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { createRunTransaction, endOfTransaction } from '../../../control-plane/storage/transaction.js';
import { testDatabase } from '../../helpers/database.js';
import { LOCATIONS, liveResult, setUpVerdicts } from '../../helpers/verdicts/setup.js';

const LIMITS = { transactionMs: 200, commitMs: 10_000 };
/** Enough for some statements on a slow machine, and less than the database leaves a document locked for. */
const SOME_MS = 5_000;
const UNLOCKED_MS_MAX = 20_000;
/** A transaction without a limit would make so many. */
const STATEMENTS = 50_000;

async function failing(t: Test, count: number) {
  const database = await testDatabase();
  const it = await setUpVerdicts(database.uri);
  t.teardown(async () => {
    await it.stop();
    await database.drop();
  });
  await it.ensureIndexes();
  const live = Object.fromEntries(LOCATIONS.map((code) => [code, liveResult(false, it.clock.now())]));
  const ids = Array.from({ length: count }, (_, index) => `mon_${index}`);
  for (const _id of ids) await it.insert({ _id, live });
  return { it, ids, monitors: it.mongo.db.collection<MonitorDocument>('monitors') };
}

t.test('a transaction that takes too long begins no further statement, and is aborted', async (t) => {
  const { it, monitors } = await failing(t, 1);
  let statements = 0;
  const run = createRunTransaction(it.mongo.client, { ...LIMITS, transactionMs: SOME_MS })(async (tx) => {
    for (; statements < STATEMENTS; statements++) {
      await monitors.updateOne({ _id: 'mon_0' }, { $inc: { 'state.revision': 1 } }, { session: tx.session });
    }
  });
  const error = await run.then(
    () => null,
    (reason: unknown) => reason,
  );
  const atLimit = statements;
  t.match(error, { name: 'TransactionTimeout', conflicts: 0 });
  await endOfTransaction(error);
  t.ok(atLimit > 0 && statements <= atLimit + 1, `${statements} statements, ${atLimit} of them before the limit`);
  t.equal((await it.monitor('mon_0')).state.revision, 0);
  // It is not locked.
  await monitors.updateOne({ _id: 'mon_0' }, { $inc: { 'state.revision': 1 } }, { maxTimeMS: UNLOCKED_MS_MAX });
});

t.test('a slow group is divided once its transaction has ended, and is not taken for locked', async (t) => {
  const { it, ids, monitors } = await failing(t, 4);
  let endSlowness = () => {};
  const slowness = new Promise<void>((resolve) => {
    endSlowness = resolve;
  });
  let tookTooLong = () => {};
  const timeout = new Promise<void>((resolve) => {
    tookTooLong = resolve;
  });
  // What the transaction of the group does, with a statement that takes longer than its limit.
  it.meanwhile = async () => {
    await createRunTransaction(
      it.mongo.client,
      LIMITS,
    )(async ({ session }) => {
      await monitors.updateMany({}, { $inc: { 'state.revision': 1 } }, { session });
      await slowness;
    }).finally(tookTooLong);
  };
  const evaluation = it.evaluator.evaluate(ids);
  evaluation.catch(() => {});
  await timeout;
  // Time for transactions that do not wait.
  for (let reads = 0; reads < 50; reads++) await it.all();
  t.equal(it.transactions(), 0);
  endSlowness();
  await evaluation;
  t.equal((await it.all()).length, ids.length);
  t.equal(it.transactions(), 2, 'two halves, each at the first try');
});

t.test('where even one monitor takes too long, the others are left to the next sweep', async (t) => {
  const { it, ids, monitors } = await failing(t, 8);
  let tried = 0;
  const slow = async () => {
    tried += 1;
    it.meanwhile = slow;
    await createRunTransaction(
      it.mongo.client,
      LIMITS,
    )(async (tx) => {
      for (let reads = 0; reads < STATEMENTS; reads++) await monitors.findOne({}, { session: tx.session });
    });
  };
  it.meanwhile = slow;
  await t.rejects(it.evaluator.evaluate(ids), { name: 'TransactionTimeout', conflicts: 0 });
  t.equal(tried, 4, 'the group, a half, a quarter and one monitor');
  it.meanwhile = null;
  await it.evaluator.evaluate(ids);
  t.equal((await it.all()).length, ids.length);
});
