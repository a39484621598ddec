import t from 'tap';
import { createMetricsReader, createSlotsReader } from '../../../control-plane/results/read-metrics.js';
import { HOUR_MS, MINUTE_MS } from '../../../control-plane/results/rollup/slots.js';
import { createResultRoutes } from '../../../control-plane/results/routes.js';
import { createPointsBudget } from '../../../control-plane/retention/points-budget.js';
import { toIso } from '../../../kernel/clock.js';
import { startApp } from '../../helpers/app.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildHistory, buildMonitor, checkResult } from '../../helpers/results/history.js';

// In the future, because the database removes what has expired by its own clock.
const NOON = Date.UTC(2031, 0, 31, 12);
const CODES = ['fra', 'nyc', 'sin'];
const BROKEN_FROM = NOON + 10 * MINUTE_MS + 5_000;
const QUARANTINED = NOON + 11 * MINUTE_MS + 30_000;
const TRUSTED = NOON + 25 * MINUTE_MS + 10_000;

const database = await testDatabase();
const clock = testClock(NOON);
const history = await buildHistory(database, { clock });
const rollup = history.newRollupJob();
const app = await startApp({
  mongo: database,
  clock,
  plan: 'Enterprise',
  routes: ({ pager }) =>
    createResultRoutes({
      monitors: history.monitors,
      results: history.results,
      budget: createPointsBudget(clock),
      readMetrics: createMetricsReader(createSlotsReader({ ...history, store: history.rollups })),
      locations: { codes: () => CODES },
      pager,
      clock,
    }),
});
t.teardown(async () => {
  await app.close();
  await database.drop();
});

const buildOwn = (over: Parameters<typeof buildMonitor>[0]) =>
  buildMonitor({ workspace_id: app.workspace.id, created_at_ms: NOON, ...over });

/** The slots of the locations are 20 s apart, like their phases; the network of sin is down for some time. */
async function checkAt(monitorId: string, location: string, minuteMs: number, receivedAtMs: number): Promise<void> {
  const slotMs = minuteMs + CODES.indexOf(location) * 20_000;
  const up = location !== 'sin' || slotMs < BROKEN_FROM || slotMs >= TRUSTED;
  const result = checkResult({ monitorId, slotMs }, up ? null : 'connect_timeout');
  const refused = await history.deliver(location, [result], receivedAtMs);
  if (refused.length > 0) throw new Error(JSON.stringify(refused));
}

async function uptimeOf(id: string) {
  const monitor = await history.monitors.find(app.workspace.id, id);
  return monitor?.uptime?.day ?? null;
}

/** The uptime of each minute as the API returns it; null for a minute without a point. */
async function minutesOf(id: string): Promise<Map<number, number>> {
  const query = `metrics=uptime&from=${toIso(NOON)}&to=${toIso(NOON + HOUR_MS)}&resolution=1m`;
  const { status, body } = await app.request<{ series: Record<string, { t: string; v: number }[]> }>(
    'GET',
    `/v1/monitors/${id}/metrics?${query}`,
  );
  if (status !== 200) throw new Error(JSON.stringify(body));
  return new Map((body.data.series['uptime'] ?? []).map(({ t: at, v }) => [(Date.parse(at) - NOON) / MINUTE_MS, v]));
}

t.test('results of a quarantined location do not count as downtime', async (t) => {
  // One location may decide, but not while it is quarantined.
  const touchy = buildOwn({ confirmations: 1 });
  // Its only location is not a minority, so its results count.
  const alone = buildOwn({ locations: ['sin'] });
  await history.insertMonitors(touchy, alone);
  for (let minuteMs = NOON; minuteMs < NOON + 40 * MINUTE_MS; minuteMs += MINUTE_MS) {
    await clock.advance(minuteMs + 10_000 - clock.now());
    if (clock.now() === TRUSTED) await history.trust('sin', QUARANTINED, TRUSTED);
    await clock.advance(10_000);
    // A pass writes minutes of failures before the quarantine begins.
    await rollup.runOnce();
    if (minuteMs === NOON + 11 * MINUTE_MS)
      t.equal((await uptimeOf(alone._id))?.uptime, 93.75, 'the failures still count');
    await clock.advance(10_000);
    if (clock.now() === QUARANTINED) await history.quarantine('sin', QUARANTINED);
    await clock.advance(11_000);
    for (const location of CODES) await checkAt(touchy._id, location, minuteMs, clock.now());
    await checkAt(alone._id, 'sin', minuteMs, clock.now());
  }
  await clock.advance(30_000);
  await rollup.runOnce();
  t.equal((await uptimeOf(touchy._id))?.uptime, 100);
  const touchyMinutes = await minutesOf(touchy._id);
  t.ok(touchyMinutes.size >= 40, 'the other locations observe the whole time');
  t.ok([...touchyMinutes.values()].every((v) => v === 100));

  const observedS = clock.now() / 1_000 - NOON / 1_000 - 40;
  const downS = 15 * 60;
  t.match(await uptimeOf(alone._id), {
    uptime: Math.round((1 - downS / observedS) * 1_000_000) / 10_000,
    coverage: Math.round((observedS / 86_400) * 1_000_000) / 10_000,
  });
  t.equal((await minutesOf(alone._id)).get(15), 0, 'the down time of a monitor that only this location checks');
  await assertNothingDown(touchy._id);
  t.same(history.errors, []);
});

t.test('results from a quarantine do not count when they arrive hours later', async (t) => {
  const touchy = buildOwn({ confirmations: 1 });
  await history.insertMonitors(touchy);
  const from = NOON + 5 * MINUTE_MS;
  const to = NOON + 35 * MINUTE_MS;
  for (let minuteMs = from; minuteMs < to; minuteMs += MINUTE_MS) {
    await checkAt(touchy._id, 'fra', minuteMs, minuteMs + 41_000);
  }
  await clock.advance(2 * HOUR_MS);
  await rollup.runOnce();
  for (let minuteMs = from; minuteMs < to; minuteMs += MINUTE_MS) {
    await checkAt(touchy._id, 'sin', minuteMs, clock.now() - 1_000);
  }
  await rollup.runOnce();
  await clock.advance(MINUTE_MS);
  await rollup.runOnce();
  const minutes = await minutesOf(touchy._id);
  t.equal(minutes.size, 31);
  t.strictSame(
    [...minutes].filter(([, v]) => v < 100).map(([minute]) => minute),
    [],
  );
  const slots = await history.rollups.minutes({ workspaceId: app.workspace.id, monitorId: touchy._id }, NOON, to);
  t.match(
    slots.get(NOON + 12 * MINUTE_MS)?.locations.get('sin'),
    { count: 1, failed: 1 },
    'its results stay in history',
  );
});

async function assertNothingDown(monitorId: string): Promise<void> {
  const slots = await history.rollups.minutes({ workspaceId: app.workspace.id, monitorId }, NOON, clock.now());
  for (const [startMs, slot] of slots) {
    if (slot.up_ms !== slot.observed_ms) t.fail(`${(startMs - NOON) / MINUTE_MS}: ${JSON.stringify(slot)}`);
  }
}
