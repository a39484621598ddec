// Measures how long client reports take, and what the control plane still does meanwhile.
//   scripts/build && node --import tsx scripts/with-mongod.ts node --import tsx bench/reports/client-reports.ts
import { setTimeout as sleep } from 'node:timers/promises';
import { buildPast } from '../../test/helpers/dashboard/monitor-history.js';
import { testDatabase } from '../../test/helpers/database.js';
import { type ControlPlane, startControlPlane } from '../../test/helpers/processes/control-plane.js';
import { percentile, printFigure, round } from '../fixtures/figures.js';
import { createMonitors } from '../fixtures/fleet.js';
import { rssMib } from '../fixtures/processes.js';
import { benchSetting } from '../fixtures/settings.js';
import { referenceLoopMs } from '../limits/reference-loop.js';

const PATH = '/api/v1/client-reports';
const MONITORS = benchSetting('MONITORS', 200);
const FEW_MONITORS = 50;
const REPORTS_AT_ONCE = 10;
const DAYS = 30;
const FEW_MS_MAX = 3_000;
const ALL_MS_MAX = 8_000;
const LEFT_MIB_MAX = 200;
const LAG_MS_MAX = 50;
const REQUEST_MS_MAX = 50;
const GENERATED_MS_MAX = 300_000;
const POLL_MS = 50;
const SETTLE_MS = 5_000;

const mongo = await testDatabase();
const plane = await startControlPlane(mongo.uri, { PICKET_RATE_LIMIT: '0' });
try {
  const ids = await addMonitors(plane);
  const { body: first } = await plane.api('POST', PATH, orderOf(ids.slice(0, 1)));
  await completed(first.data.id);
  const beforeMib = await rssMib(plane.pid);
  await measureOne(`${FEW_MONITORS} monitors, ${DAYS} days`, ids.slice(0, FEW_MONITORS), FEW_MS_MAX);
  await measureOne(`${MONITORS} monitors, ${DAYS} days`, ids, ALL_MS_MAX);
  await measureMany(ids, first.data.id);
  await sleep(SETTLE_MS);
  printFigure({
    name: `client reports: memory left after ${REPORTS_AT_ONCE} reports`,
    unit: 'MiB',
    value: Math.max(0, (await rssMib(plane.pid)) - beforeMib),
    limit: LEFT_MIB_MAX,
    atMost: true,
  });
} finally {
  await plane.remove();
  await mongo.drop();
}

async function addMonitors({ api }: ControlPlane): Promise<string[]> {
  await createMonitors(plane, MONITORS, { url: (index) => `https://bench.example/${index}`, intervalSeconds: 86_400 });
  const { data } = (await api('GET', `/v1/monitors?limit=${MONITORS}`)).body;
  const monitors = data as { id: string; locations: string[] }[];
  const { workspace } = (await api('GET', '/v1/auth/me')).body.data;
  for (const { id, locations } of monitors)
    await buildPast(mongo, {
      workspaceId: workspace.id,
      monitorId: id,
      locations,
      intervalMs: 300_000,
      rawDays: 0,
      days: 2 * DAYS,
      unobservedDaysAgo: 40,
      outages: [{ agoMs: 5 * 86_400_000, lastedMs: 600_000, locations }],
    });
  return monitors.map(({ id }) => id);
}

function orderOf(ids: readonly string[]) {
  return { title: 'Bench', client_name: 'Example Ltd', monitors: { ids } };
}

/** Resolves to the number of pages. */
async function completed(id: string): Promise<number> {
  for (const startedMs = performance.now(); performance.now() - startedMs < GENERATED_MS_MAX; await sleep(POLL_MS)) {
    const { status, pages, error } = (await plane.api('GET', `${PATH}/${id}`)).body.data;
    if (status === 'completed') return pages;
    if (status === 'failed') throw new Error(error);
  }
  throw new Error('a report was not generated');
}

async function measureOne(name: string, ids: readonly string[], limit: number): Promise<void> {
  const startedMs = performance.now();
  const { body } = await plane.api('POST', PATH, orderOf(ids));
  const pages = await completed(body.data.id);
  printFigure({
    name: `client reports: ${name}`,
    value: performance.now() - startedMs,
    unit: 'ms',
    limit,
    atMost: true,
    pages,
    reference_loop_ms: round(referenceLoopMs()),
  });
}

/** Generates ten reports, and lists and downloads others meanwhile. */
async function measureMany(ids: readonly string[], other: string): Promise<void> {
  // Each reading of the metrics begins a new count of the lag.
  await readLagMs();
  const created = await Promise.all(
    Array.from({ length: REPORTS_AT_ONCE }, () => plane.api('POST', PATH, orderOf(ids.slice(0, FEW_MONITORS)))),
  );
  const times: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      for (const path of [PATH, `${PATH}/${other}/download`]) {
        const startedMs = performance.now();
        await plane.api('GET', path);
        times.push(performance.now() - startedMs);
      }
      await sleep(POLL_MS);
    }
  })();
  await Promise.all(created.map(({ body }) => completed(body.data.id)));
  const lagMs = await readLagMs();
  isOver = true;
  await asking;
  const meanwhile = `while ${REPORTS_AT_ONCE} are generated`;
  const reference = { reference_loop_ms: round(referenceLoopMs()) };
  printFigure({
    name: `client reports: event loop lag ${meanwhile}, p99`,
    value: lagMs,
    unit: 'ms',
    limit: LAG_MS_MAX,
    atMost: true,
    ...reference,
  });
  printFigure({
    name: `client reports: list and download ${meanwhile}, p99`,
    value: percentile(times, 0.99),
    unit: 'ms',
    limit: REQUEST_MS_MAX,
    atMost: true,
    requests: times.length,
    ...reference,
  });
}

async function readLagMs(): Promise<number> {
  const text = await (await fetch(`${plane.url}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_p99_seconds\S* (\S+)$/m.exec(text)?.[1]) * 1_000;
}
