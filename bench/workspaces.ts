// Measures the requests of an operator of an installation with 10,000 workspaces.
//   node --import tsx scripts/with-mongod.ts node --import tsx bench/workspaces.ts
import type { WorkspaceDocument } from '../control-plane/accounts/documents.js';
import { PLAN_NAMES } from '../control-plane/plans/plans.js';
import { testDatabase } from '../test/helpers/database.js';
import { startControlPlane } from '../test/helpers/processes/control-plane.js';
import { percentile, printFigure } from './fixtures/figures.js';
import { benchSetting } from './fixtures/settings.js';

const WORKSPACES = benchSetting('WORKSPACES', 10_000);
const CLIENTS = benchSetting('CLIENTS', 1);
const WARM_UP_REQUESTS = 50;
const REQUESTS = benchSetting('REQUESTS', 400);
const P99_MS_MAX = 50;
/** One workspace in this many is suspended. */
const SUSPENDED_EVERY = 100;

const mongo = await testDatabase();
const { url, apiKey, remove } = await startControlPlane(mongo.uri);
try {
  const idOf = (index: number) => `ws_${String(index).padStart(26, '0')}`;
  await mongo.db.collection<WorkspaceDocument>('workspaces').insertMany(
    Array.from({ length: WORKSPACES }, (_, index) => ({
      ...{ _id: idOf(index), name: `Customer ${index}`, created_at_ms: Date.now() },
      plan: PLAN_NAMES[index % PLAN_NAMES.length] ?? 'Free',
      suspended: index % SUSPENDED_EVERY === 0 ? { at_ms: Date.now(), reason: 'Payment overdue.' } : null,
    })),
  );
  for (const path of [
    '?limit=200',
    '?q=customer%207&limit=200',
    '?q=nobody%20has%20this%20name',
    '?q=owner%40example.com',
    '?plan=Pro&suspended=true&limit=200',
    `/${idOf(WORKSPACES - 1)}`,
  ]) {
    const times = await load(`/v1/admin/workspaces${path}`);
    printFigure({
      ...{ name: `workspaces: GET /v1/admin/workspaces${path} p99`, value: percentile(times, 0.99), unit: 'ms' },
      ...{ limit: P99_MS_MAX, atMost: true, clients: CLIENTS, workspaces: WORKSPACES },
      p50_ms: percentile(times, 0.5),
    });
  }
} finally {
  await remove();
  await mongo.drop();
}

/** Sends the requests from several clients at once. Resolves to their times in milliseconds. */
async function load(path: string): Promise<number[]> {
  const times: number[] = [];
  let sent = 0;
  const client = async () => {
    while (sent < WARM_UP_REQUESTS + REQUESTS) {
      sent += 1;
      const isMeasured = sent > WARM_UP_REQUESTS;
      const before = performance.now();
      const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${apiKey}` } });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`${path} responded with status ${response.status}`);
      if (isMeasured) times.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return times;
}
