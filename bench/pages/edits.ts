// Measures changes of single monitors in a workspace with 10,000: edit, pause, resume, delete.
//   scripts/build && node --import tsx scripts/with-mongod.ts node --import tsx bench/pages/edits.ts
import { testDatabase } from '../../test/helpers/database.js';
import { startControlPlane } from '../../test/helpers/processes/control-plane.js';
import { percentile, printFigure, round } from '../fixtures/figures.js';
import { createMonitors } from '../fixtures/fleet.js';
import { benchSetting } from '../fixtures/settings.js';

const MONITORS = benchSetting('MONITORS', 10_000);
/** How many people change monitors at the same time. */
const CLIENTS = benchSetting('CLIENTS', 10);
const CHANGED = 500;
/** Changes that are not measured: creating ten thousand monitors leaves work behind, and the first requests are compiled. */
const WARM_UP = 200;
const P99_MS_MAX = 300;

const mongo = await testDatabase();
const plane = await startControlPlane(mongo.uri);
try {
  await createMonitors(plane, MONITORS, { url: (index) => `https://bench.example/${index}`, intervalSeconds: 3_600 });
  const [ids, others] = await someIds(CHANGED);
  for (const id of others) await plane.api('PATCH', `/v1/monitors/${id}`, { name: `first ${id}` });
  await measure('edit', ids, (id, index) => plane.api('PATCH', `/v1/monitors/${id}`, { name: `edited ${index}` }));
  await measure('pause', ids, (id) => plane.api('POST', `/v1/monitors/${id}/pause`));
  await measure('resume', ids, (id) => plane.api('POST', `/v1/monitors/${id}/resume`));
  await measure('delete', ids, (id) => plane.api('DELETE', `/v1/monitors/${id}`));
} finally {
  await plane.remove();
  await mongo.drop();
}

/** Resolves to as many ids, and to others for the warm-up. */
async function someIds(count: number): Promise<[ids: string[], others: string[]]> {
  const ids: string[] = [];
  for (let cursor = ''; ids.length < count + WARM_UP; ) {
    const { body } = await plane.api('GET', `/v1/monitors?limit=100${cursor}`);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
  }
  return [ids.slice(0, count), ids.slice(count, count + WARM_UP)];
}

/** Changes each monitor once, with as many requests at the same time as there are clients. */
async function measure(
  name: string,
  ids: readonly string[],
  change: (id: string, index: number) => Promise<{ status: number; body: unknown }>,
): Promise<void> {
  const times: number[] = [];
  const left = [...ids.entries()];
  const work = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const startedMs = performance.now();
      const { status, body } = await change(next[1], next[0]);
      if (status >= 300) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`);
      times.push(performance.now() - startedMs);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, work));
  printFigure({
    ...{ name: `edits: ${name} a monitor, p99`, value: percentile(times, 0.99), unit: 'ms', limit: P99_MS_MAX },
    ...{ atMost: true, p50_ms: round(percentile(times, 0.5)), monitors: MONITORS, clients: CLIENTS },
  });
}
