import t from 'tap';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { createMetricsReader, createSlotsReader } from '../../../control-plane/results/read-metrics.js';
import { rolledResult } from '../../../control-plane/results/rollup/rolled-result.js';
import { HOUR_MS, MINUTE_MS } from '../../../control-plane/results/rollup/slots.js';
import { createResultRoutes } from '../../../control-plane/results/routes.js';
import { createUptimeAtRead } from '../../../control-plane/results/uptime/at-read.js';
import { observedSegments, observedTime, uptimeWindow } from '../../../control-plane/results/uptime/uptime.js';
import { createPointsBudget } from '../../../control-plane/retention/points-budget.js';
import { toIso } from '../../../kernel/clock.js';
import { startApp } from '../../helpers/app.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { NO_MAINTENANCE } from '../../helpers/maintenance/none.js';
import { buildHistory, buildMonitor, checkResult } from '../../helpers/results/history.js';

// In the future, because the database removes what has expired by its own clock.
const NOON = Date.UTC(2031, 0, 31, 12);
const uptimeAtRead = createUptimeAtRead(NO_MAINTENANCE);
const CODES = ['fra', 'nyc', 'sin'];
const DAY_MS = 24 * HOUR_MS;
/** Percent. The time between a check and its arrival is known only roughly. */
const TOLERANCE = 0.01;

const database = await testDatabase();
const clock = testClock(NOON);
const history = await buildHistory(database, { clock });
const uptimeJob = history.newUptimeJob();
const monitors = database.db.collection<MonitorDocument>('monitors');
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

async function newMonitor(): Promise<string> {
  const monitor = buildMonitor({
    workspace_id: app.workspace.id,
    created_at_ms: clock.now(),
    updated_at_ms: clock.now(),
  });
  await history.insertMonitors(monitor);
  return monitor._id;
}

/** Passes minutes with a check from each location, 20 s apart. */
async function pass(id: string, minutes: number, up: boolean): Promise<void> {
  const startMs = clock.now();
  for (let slotMs = startMs; slotMs < startMs + minutes * MINUTE_MS; slotMs += 20_000) {
    const location = CODES[((slotMs - startMs) / 20_000) % CODES.length] ?? '';
    await clock.advance(slotMs + 100 - clock.now());
    const result = checkResult({ monitorId: id, slotMs }, up ? null : 'connect_timeout');
    const refused = await history.deliver(location, [result], clock.now());
    if (refused.length > 0) throw new Error(JSON.stringify(refused));
  }
  await clock.advance(startMs + minutes * MINUTE_MS - clock.now());
}

async function read(id: string) {
  const monitor = await history.monitors.find(app.workspace.id, id);
  return monitor === null ? null : uptimeAtRead(monitor, clock.now());
}

/** The uptime of the last day by definition, from all results. */
async function exact(id: string, pausesMs: number[] = []) {
  const finals = (await history.results.finals(app.workspace.id, id, 0, clock.now())).map(rolledResult);
  const quarantines = new Map();
  const rule = { assigned: 3, confirmations: null, pauses_ms: pausesMs, quarantines, leftOut: () => [] };
  const fromMs = clock.now() - DAY_MS;
  return uptimeWindow(observedTime(observedSegments(finals, rule, fromMs, clock.now()), fromMs, clock.now()), DAY_MS);
}

async function metricsUptime(id: string, fromMs: number): Promise<number> {
  const query = `metrics=uptime&from=${toIso(fromMs)}&to=${toIso(clock.now())}&resolution=1m`;
  const { body } = await app.request<{ series: Record<string, { v: number }[]> }>(
    'GET',
    `/v1/monitors/${id}/metrics?${query}`,
  );
  const points = body.data.series['uptime'] ?? [];
  return points.reduce((sum, { v }) => sum + v, 0) / points.length;
}

const isNear = (a: number | null | undefined, b: number | null) => Math.abs((a ?? -1) - (b ?? -1)) < TOLERANCE;

t.test('an outage that goes on moves the uptime of every response, and the metrics agree', async (t) => {
  const id = await newMonitor();
  const startMs = clock.now();
  await pass(id, 30, true);
  await uptimeJob.runOnce();
  await pass(id, 1, false);
  await monitors.updateOne(
    { _id: id },
    { $set: { 'state.status': 'down', 'state.changed_at_ms': clock.now() - 1_000 } },
  );
  await uptimeJob.runOnce();
  const stored = await monitors.findOne({ _id: id });
  let last = 100;
  for (let minute = 0; minute < 4; minute++) {
    await pass(id, 1, false);
    const shown = await read(id);
    const wanted = await exact(id);
    t.ok(isNear(shown?.day.uptime, wanted.uptime), `${shown?.day.uptime} % is ${wanted.uptime} %`);
    t.ok(isNear(shown?.day.coverage, wanted.coverage), `coverage ${shown?.day.coverage} is ${wanted.coverage}`);
    t.ok((shown?.day.uptime ?? 100) < last, 'it falls with every minute');
    last = shown?.day.uptime ?? 100;
    t.ok(isNear(shown?.day.uptime, await metricsUptime(id, startMs)), 'the metrics show the same');
    t.equal(shown?.week.uptime, shown?.day.uptime);
  }
  t.equal((await monitors.findOne({ _id: id }))?.uptime?.computed_at_ms, stored?.uptime?.computed_at_ms);

  const before = await read(id);
  await clock.advance(10 * MINUTE_MS);
  const silent = await exact(id);
  t.ok(isNear((await read(id))?.day.uptime, silent.uptime), 'without results nothing is observed any more');
  t.ok(isNear((await read(id))?.day.coverage, silent.coverage));
  t.ok((silent.coverage ?? 0) - (before?.day.coverage ?? 0) < 0.1);
});

t.test('the last hours are not shown as the whole day while older results are not rolled up', async (t) => {
  const id = await newMonitor();
  const startMs = clock.now();
  await clock.advance(5 * HOUR_MS);
  // The probes were disconnected all the time.
  for (const [index, location] of CODES.entries()) {
    const results = Array.from({ length: 300 }, (_, minute) =>
      checkResult({ monitorId: id, slotMs: startMs + minute * MINUTE_MS + index * 20_000 }),
    );
    t.same(await history.deliver(location, results, clock.now()), []);
  }
  await monitors.updateOne({ _id: id }, { $set: { 'state.status': 'up', 'state.changed_at_ms': clock.now() - 1_000 } });
  await uptimeJob.runOnce();
  t.equal(await read(id), null, 'no figure is better than one of two hours');

  await history.newRollupJob().runOnce();
  const { coverage } = await exact(id);
  t.ok(coverage > 20, `five of 24 hours are ${coverage} %`);
  t.ok(isNear((await read(id))?.day.coverage, coverage));

  await clock.advance(10_000);
  await monitors.updateOne({ _id: id }, { $set: { 'state.status': 'down', 'state.changed_at_ms': clock.now() } });
  await uptimeJob.runOnce();
  await clock.advance(30_000);
  await uptimeJob.runOnce();
  t.equal((await monitors.findOne({ _id: id }))?.uptime?.computed_at_ms, clock.now(), 'the next change is followed');
});

t.test('a paused monitor keeps its uptime, and a resumed one does not count the pause', async (t) => {
  const id = await newMonitor();
  await pass(id, 5, true);
  await uptimeJob.runOnce();
  await pass(id, 3, true);
  const pausedMs = clock.now();
  await monitors.updateOne({ _id: id }, { $set: { paused_at_ms: pausedMs, updated_at_ms: pausedMs } });
  await clock.advance(30_000);
  t.ok(isNear((await read(id))?.day.coverage, (await exact(id, [pausedMs])).coverage), 'before it is stored');
  await uptimeJob.runOnce();
  await clock.advance(HOUR_MS);
  const paused = await read(id);
  t.ok(isNear(paused?.day.coverage, (await exact(id, [pausedMs])).coverage));
  t.equal(paused?.day.uptime, 100);

  const resumedMs = clock.now();
  await monitors.updateOne({ _id: id }, { $set: { paused_at_ms: null, updated_at_ms: resumedMs, live: {} } });
  await pass(id, 1, true);
  const beforeStored = (await read(id))?.day.coverage ?? 0;
  t.ok(beforeStored - (paused?.day.coverage ?? 0) < 0.1, 'the hour of the pause is not observed');
  t.ok((await uptimeJob.runOnce()) !== null, 'the change of the settings is followed within one run');
  t.equal((await monitors.findOne({ _id: id }))?.uptime?.computed_at_ms, clock.now());
  t.ok(isNear((await read(id))?.day.coverage, (await exact(id, [pausedMs])).coverage));
});

t.test('what leaves a window is subtracted until the uptime is computed again', async (t) => {
  /** A day without a gap, whose first ten minutes were an outage. */
  const sums = { observed_ms: DAY_MS, up_ms: DAY_MS - 10 * MINUTE_MS, leaving: { observed: 1, up: 0 } };
  const window = { ...uptimeWindow({ ...sums, left_out_ms: 0 }, DAY_MS), sums };
  const uptime = { computed_at_ms: NOON, day: window, week: window, month: window };
  const shown = uptimeAtRead(buildMonitor({ uptime }), NOON + 5 * MINUTE_MS);
  const left = { observed_ms: DAY_MS - 5 * MINUTE_MS, up_ms: DAY_MS - 10 * MINUTE_MS, left_out_ms: 0 };
  t.match(shown?.day, uptimeWindow(left, DAY_MS));
  t.ok((shown?.day.uptime ?? 0) > (window.uptime ?? 0));
});
