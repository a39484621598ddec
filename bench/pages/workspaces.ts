// Measures the requests of an operator of an installation with 10,000 workspaces.
//   node --import tsx scripts/with-mongod.ts node --import tsx bench/pages/workspaces.ts
import type { WorkspaceDocument } from '../../control-plane/accounts/documents.js';
import { PLAN_NAMES } from '../../control-plane/plans/plans.js';
import { testDatabase } from '../../test/helpers/database.js';
import { startControlPlane } from '../../test/helpers/processes/control-plane.js';
import { percentile, printFigure } from '../fixtures/figures.js';
import { load } from '../fixtures/load.js';
import { benchSetting } from '../fixtures/settings.js';

const WORKSPACES = benchSetting('WORKSPACES', 10_000);
const CLIENTS = benchSetting('CLIENTS', 1);
const WARM_UP_MS = 1_000;
const WINDOW_MS = 5_000;
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
    const request = () => read(`/v1/admin/workspaces${path}`);
    const { times } = await load(request, { clients: CLIENTS, warmUpMs: WARM_UP_MS, windowMs: WINDOW_MS });
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

async function read(path: string): Promise<void> {
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${apiKey}` } });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${path} responded with status ${response.status}`);
}
