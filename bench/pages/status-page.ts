// Measures how long a public status page with 50 components and 90 days takes at 200 requests a second, from one control plane.
//   scripts/build && node --import tsx scripts/with-mongod.ts node --import tsx bench/pages/status-page.ts
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildPast } from '../../test/helpers/dashboard/monitor-history.js';
import { testDatabase } from '../../test/helpers/database.js';
import { startControlPlane } from '../../test/helpers/processes/control-plane.js';
import { percentile, printFigure, round } from '../fixtures/figures.js';
import { benchSetting } from '../fixtures/settings.js';

const COMPONENTS = 50;
const PER_SECOND = 200;
const SECONDS = benchSetting('SECONDS', 20);
const WARM_UP_MS = 3_000;
const P99_MS_MAX = 20;
const LOCATIONS = ['fra'];

const mongo = await testDatabase();
const plane = await startControlPlane(mongo.uri);
const agent = new Agent({ keepAlive: true, maxSockets: 100 });
try {
  const { workspace } = (await plane.api('GET', '/v1/auth/me')).body.data;
  const components = [];
  for (let index = 0; index < COMPONENTS; index++) {
    const { body } = await plane.api('POST', '/v1/monitors', {
      name: `Monitor ${index}`,
      type: 'http',
      url: 'https://shop.example/',
      interval_seconds: 300,
      locations: LOCATIONS,
    });
    await buildPast(mongo, {
      workspaceId: workspace.id,
      monitorId: body.data.id,
      locations: LOCATIONS,
      intervalMs: 300_000,
      outages: [],
      rawDays: 0,
      days: 90,
      unobservedDaysAgo: 40,
    });
    components.push({ name: `Part ${index}`, monitor_id: body.data.id });
  }
  const page = { slug: 'bench', title: 'Bench', groups: [{ components }] };
  const created = await plane.api('POST', '/v1/status-pages', page);
  if (created.status !== 201) throw new Error(JSON.stringify(created.body));
  const bytes = (await (await fetch(`${plane.url}/status/bench`)).text()).length;
  await atRate(WARM_UP_MS);
  const times = await atRate(SECONDS * 1_000);
  printFigure({
    name: 'status page: 50 components, 90 days, 200 requests a second, p99',
    value: percentile(times, 0.99),
    unit: 'ms',
    limit: P99_MS_MAX,
    atMost: true,
    p50: round(percentile(times, 0.5)),
    worst: round(Math.max(...times)),
    bytes,
  });
} finally {
  agent.destroy();
  await plane.remove();
  await mongo.drop();
}

/** Sends the requests at their times, whether or not earlier ones were answered, and measures each from its time. */
async function atRate(ms: number): Promise<number[]> {
  const startMs = performance.now();
  const waiting: Promise<number>[] = [];
  for (let index = 0; index < (ms * PER_SECOND) / 1_000; index++) {
    const dueMs = startMs + (index * 1_000) / PER_SECOND;
    const aheadMs = dueMs - performance.now();
    if (aheadMs > 0) await sleep(aheadMs);
    waiting.push(loaded().then(() => performance.now() - dueMs));
  }
  return Promise.all(waiting);
}

/** As a browser does: with gzip. */
function loaded(): Promise<void> {
  return new Promise((resolve, reject) => {
    get(`${plane.url}/status/bench`, { agent, headers: { 'accept-encoding': 'gzip' } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`status ${answer.statusCode}`));
      answer.resume();
      answer.on('end', resolve);
      answer.on('error', reject);
    }).on('error', reject);
  });
}
