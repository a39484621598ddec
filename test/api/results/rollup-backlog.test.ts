import t from 'tap';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import type { Arrival } from '../../../control-plane/results/rollup/arrival.js';
import { HOUR_MS, MINUTE_MS } from '../../../control-plane/results/rollup/slots.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildHistory, buildMonitor, checkResult, type History } from '../../helpers/results/history.js';
import { assertUptime } from '../../helpers/results/rolled-up.js';

// In the future, because the database removes what has expired by its own clock.
const NOON = Date.UTC(2031, 0, 31, 12);
/** What a pass of the roll-up reads at once. */
const BATCH_RESULTS_MAX = 400_000;
const MINUTES = 60;

t.test('while the roll-up catches up, nobody reads an uptime without the results that it has not read', async (t) => {
  const mongo = await testDatabase();
  t.teardown(() => mongo.drop());
  const clock = testClock(NOON);
  const history = await buildHistory(mongo, { clock });
  const created = { created_at_ms: NOON, updated_at_ms: NOON };
  const known = [buildMonitor(created), buildMonitor(created)];
  await history.insertMonitors(...known);
  const ids = known.map(({ _id }) => _id);
  await clock.advance(HOUR_MS);
  for (const id of ids) await deliver(history, id, NOON, MINUTES);
  await history.newRollupJob().runOnce();
  const monitors = mongo.db.collection<MonitorDocument>('monitors');
  const uptimes = () => monitors.find().sort({ _id: 1 }).project({ uptime: 1 }).toArray();

  await clock.advance(2 * HOUR_MS);
  for (const id of ids) await deliver(history, id, NOON + HOUR_MS, MINUTES);
  const before = await uptimes();
  const seen: unknown[] = [];
  const batches: number[] = [];
  /** Reads 100 results, and says that these are as many as a pass reads at once. */
  const arrived: History['results']['arrived'] = async (after: Arrival, _limit, accept) => {
    if (batches.length > 0) seen.push(await uptimes());
    const { count, last } = await history.results.arrived(after, 100, accept);
    batches.push(count);
    return { count: count === 100 ? BATCH_RESULTS_MAX : count, last };
  };
  await history.newRollupJob('one', { results: { ...history.results, arrived } }).runOnce();
  t.ok(batches.length >= 3, `${batches.length} batches`);
  for (const between of seen) t.same(between, before);
  for (const id of ids) await t.resolves(assertUptime(history, id, clock.now()));
  t.notSame(await uptimes(), before);
});

/** Delivers a check of each minute from each location. */
async function deliver(history: History, monitorId: string, fromMs: number, minutes: number): Promise<void> {
  for (const [index, location] of ['fra', 'nyc', 'sin'].entries()) {
    const results = Array.from({ length: minutes }, (_, minute) =>
      checkResult({ monitorId, slotMs: fromMs + minute * MINUTE_MS + index * 20_000 }),
    );
    const refused = await history.deliver(location, results, fromMs + minutes * MINUTE_MS);
    if (refused.length > 0) throw new Error(JSON.stringify(refused));
  }
}
