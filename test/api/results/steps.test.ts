import t from 'tap';
import { stepsRoute } from '../../../control-plane/results/steps/routes.js';
import type { MonitorSteps } from '../../../control-plane/results/steps/schema.js';
import { createStepsReads } from '../../../control-plane/results/steps/store.js';
import { createPointsBudget } from '../../../control-plane/retention/points-budget.js';
import { toIso } from '../../../kernel/clock.js';
import { startApp } from '../../helpers/app.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildHistory, buildMonitor, checkResult } from '../../helpers/results/history.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** In the future, because the database removes what has expired by its own clock. */
const NOON = Date.UTC(2031, 0, 31, 12);
/** The hour before noon is not written as an hour yet. */
const NOW = NOON + 10_000;
const QUARTERS = [0, 1, 2, 3].map((quarter) => quarter * 15 * MINUTE_MS);

const database = await testDatabase();
const clock = testClock(NOW);
const history = await buildHistory(database, { clock });
const app = await startApp({
  mongo: database,
  clock,
  routes: () => [stepsRoute({ steps: createStepsReads(database.db), budget: createPointsBudget(clock), clock })],
});
t.teardown(async () => {
  await app.close();
  await database.drop();
});

const read = (query: string) => app.request<MonitorSteps[]>('GET', `/v1/monitors/history?${query}`);
const newMonitor = async (workspace_id: string) => {
  const monitor = buildMonitor({ workspace_id, interval_seconds: 900, locations: ['fra'] });
  await history.insertMonitors(monitor);
  return monitor._id;
};
/** Stores four checks of an hour. The second one fails if the hour `isFlawed`. */
const checked = async (monitorId: string, hourMs: number, responseTimeMs: number, isFlawed = false) => {
  for (const [index, afterMs] of QUARTERS.entries()) {
    const error = isFlawed && index === 1 ? 'connection_refused' : null;
    const slotMs = hourMs + afterMs;
    await history.deliver('fra', [checkResult({ monitorId, slotMs, responseTimeMs }, error)], slotMs + 100);
  }
};

t.test('hours and days, with gaps where nothing was observed', async (t) => {
  const id = await newMonitor(app.workspace.id);
  await checked(id, NOON - 5 * HOUR_MS, 40, true);
  await checked(id, NOON - HOUR_MS, 80);
  await checked(id, NOON - 3 * DAY_MS, 120);
  await checked(id, NOON - 3 * DAY_MS + 5 * HOUR_MS, 60, true);
  await history.newRollupJob().runOnce();
  const unobserved = (steps: number) => Array<null>(steps).fill(null);

  const hours = await read(`ids=${id}`);
  t.equal(hours.status, 200);
  t.same(hours.body.data, [
    {
      ...{ monitor_id: id, from: toIso(NOON - 23 * HOUR_MS), step_seconds: 3_600 },
      uptime: [...unobserved(18), 75, ...unobserved(3), 100, null],
      response_time_ms: [...unobserved(18), 40, ...unobserved(3), 80, null],
    },
  ]);
  const days = await read(`ids=${id}&window=30d`);
  t.same(days.body.data, [
    {
      ...{ monitor_id: id, from: toIso(NOON - 12 * HOUR_MS - 29 * DAY_MS), step_seconds: 86_400 },
      uptime: [...unobserved(26), 87.5, null, null, 87.39],
      response_time_ms: [
        ...unobserved(26),
        Math.round((4 * 120 + 3 * 60) / 7),
        null,
        null,
        Math.round((3 * 40 + 4 * 80) / 7),
      ],
    },
  ]);
});

t.test('several monitors at once, only those of the workspace', async (t) => {
  const [first, second, foreign] = [
    ...[await newMonitor(app.workspace.id), await newMonitor(app.workspace.id), await newMonitor('ws_other')],
  ];
  for (const id of [first, second, foreign]) await checked(String(id), NOON - 2 * HOUR_MS, 50);
  await history.newRollupJob().runOnce();
  for (const window of ['24h', '30d']) {
    const { body } = await read(`ids=${foreign},${second},${first}&window=${window}`);
    t.same(
      body.data.map((one) => one.monitor_id),
      [second, first],
    );
  }
  t.equal((await read('window=24h')).status, 422);
  t.equal((await read(`ids=${first}&window=7d`)).status, 422);
});
