import { setTimeout as sleep } from 'node:timers/promises';
import { startProduct } from '../test/helpers/processes/product.js';
import { percentile, printFigure, round } from './fixtures/figures.js';
import { createMonitors, startTarget } from './fixtures/fleet.js';
import { cpuMeter, rssMib } from './fixtures/processes.js';
import { benchSetting } from './fixtures/settings.js';

/** Measures the whole product under its intended load: 10,000 monitors from 5 locations each 60 s. */
const MONITORS = benchSetting('MONITORS', 10_000);
const INTERVAL_SECONDS = 60;
const LOCATIONS = ['fra', 'nyc', 'sin', 'lon', 'sfo'];
const WARM_UP_MS = 75_000;
/** As long as the period of the roll-up, so that one whole run of it is measured. */
const WINDOW_MS = 300_000;
const VISIBILITY_MS = 90_000;
const VISIBILITY_SAMPLES = 60;

const target = await startTarget();
const product = await startProduct();
try {
  await createMonitors(product, MONITORS, {
    url: (index) => `http://127.0.0.1:${target.port}/${index}`,
    intervalSeconds: INTERVAL_SECONDS,
  });
  await sleep(WARM_UP_MS);
  const pids: Record<string, number> = {
    'control plane': await product.pid('control-plane'),
    mongod: await product.pid('mongod'),
  };
  for (const location of LOCATIONS) pids[`probe ${location}`] = await product.pid(`probe-${location}`);

  const meter = await cpuMeter(pids);
  const seenBefore = await target.seen();
  const started = performance.now();
  await sleep(WINDOW_MS);
  const seconds = (performance.now() - started) / 1000;
  const seen = (await target.seen()) - seenBefore;
  const cpu = await meter.read();
  const total = Object.values(cpu).reduce((sum, value) => sum + value, 0);
  const due = (MONITORS * LOCATIONS.length * seconds) / INTERVAL_SECONDS;
  const lateness = await worstLateness();
  // After the measurement, because polling also costs CPU time.
  const delays = await visibilityDelays(performance.now() + VISIBILITY_MS);
  const conditions = {
    monitors: MONITORS,
    locations: LOCATIONS.length,
    interval_seconds: INTERVAL_SECONDS,
    seconds: round(seconds, 1),
  };

  const parts = Object.fromEntries(Object.entries(cpu).map(([name, value]) => [name, round(value / seconds)]));
  printFigure({
    name: 'scale: cores used in all',
    value: total / seconds,
    unit: 'cores',
    limit: 1,
    atMost: true,
    parts,
    ...conditions,
  });
  printFigure({
    name: 'scale: slots run',
    value: (100 * seen) / due,
    unit: '%',
    limit: 99.9,
    atMost: false,
    checks: seen,
    due: round(due, 0),
  });
  printFigure({ name: 'scale: start error p99', value: lateness, unit: 'ms', limit: 1_000, atMost: true });
  printFigure({
    name: 'scale: result visible by API p99',
    value: percentile(delays, 0.99),
    unit: 'ms',
    limit: 5_000,
    atMost: true,
    samples: delays.length,
  });
  printFigure({
    name: 'scale: control plane memory',
    value: await rssMib(pids['control plane'] ?? 0),
    unit: 'MiB',
    limit: 400,
    atMost: true,
  });
  printFigure({
    name: 'whole path',
    value: (1000 * total) / seen,
    unit: 'CPU-seconds per 1,000 results',
    limit: 0.6,
    atMost: true,
  });
} finally {
  await product.remove();
  target.stop();
}

/** Returns the times from the end of a check until the API shows its result, for one monitor after another. */
async function visibilityDelays(until: number): Promise<number[]> {
  const delays: number[] = [];
  const list = await product.api('GET', '/v1/monitors?limit=200');
  for (const monitor of list.body.data) {
    if (delays.length >= VISIBILITY_SAMPLES || performance.now() > until) break;
    const path = `/v1/monitors/${monitor.id}/results?limit=1`;
    const before = (await product.api('GET', path)).body.data[0]?.id;
    for (;;) {
      const newest = (await product.api('GET', path)).body.data[0];
      if (newest !== undefined && newest.id !== before) {
        delays.push(Date.now() - Date.parse(newest.checked_at) - newest.response_time_ms);
        break;
      }
      if (performance.now() > until) break;
      await sleep(20);
    }
  }
  return delays;
}

async function worstLateness(): Promise<number> {
  const { body } = await product.api('GET', '/v1/locations');
  return Math.max(
    ...body.data.map((location: { schedule_lateness: { p99_ms: number } }) => location.schedule_lateness.p99_ms),
  );
}
