import t from 'tap';
import { MINUTE_MS } from '../../../control-plane/results/rollup/slots.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildHistory, buildMonitor, checkResult } from '../../helpers/results/history.js';
import { assertRolledUp, assertUptime } from '../../helpers/results/rolled-up.js';

// In the future, because the database removes what has expired by its own clock.
const NOW = Date.UTC(2031, 0, 31, 12);
const database = await testDatabase();
t.teardown(() => database.drop());

t.test('results that an earlier version stored after its last roll-up are not lost', async (t) => {
  const clock = testClock(NOW);
  const history = await buildHistory(database, { clock });
  await history.results.ensureIndexes();
  const monitor = buildMonitor({ created_at_ms: NOW });
  await history.insertMonitors(monitor);
  const deliverMinutes = async (count: number) => {
    for (let minute = 0; minute < count; minute++) {
      for (const location of ['fra', 'nyc', 'sin']) {
        await history.deliver(location, [checkResult({ monitorId: monitor._id, slotMs: clock.now() })], clock.now());
        await clock.advance(20_000);
      }
    }
  };
  const job = history.newRollupJob('one');
  await deliverMinutes(5);
  await job.runOnce();
  const rolledUpMs = clock.now();
  await deliverMinutes(4);

  // What the version before stored: no place in the order, and a watermark and an index of the time of receipt.
  const results = database.db.collection('results');
  await results.updateMany({}, { $unset: { arrived: true } });
  await results.createIndex({ received_at: 1 }, { name: 'received_at' });
  const state = database.db.collection<{ _id: string }>('rollup_state');
  await state.updateOne({ _id: 'results' }, { $unset: { arrived: true }, $set: { received_ms: rolledUpMs } });

  await deliverMinutes(3);
  await clock.advance(6 * MINUTE_MS);
  await job.runOnce();
  await assertRolledUp(history, monitor._id);
  await assertUptime(history, monitor._id, clock.now());
  t.notOk(await results.indexExists('received_at'), 'the index of the version before is removed');
  t.equal(await history.rollups.earlierWatermarkMs(), null, 'only once');
});
