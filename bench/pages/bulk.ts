// Measures bulk changes of 500 and of 10,000 monitors, and single edits meanwhile.
//   scripts/build && node --import tsx scripts/with-mongod.ts node --import tsx bench/pages/bulk.ts
import { testDatabase } from '../../test/helpers/database.js';
import { startControlPlane } from '../../test/helpers/processes/control-plane.js';
import { percentile, printFigure } from '../fixtures/figures.js';
import { benchSetting } from '../fixtures/settings.js';

const MONITORS = benchSetting('MONITORS', 10_000);
const FEW = 500;
const ADDED_AT_ONCE = 2_000;
const POLL_MS = 50;
const EDIT_P99_MS_MAX = 300;
const DRY_RUN_MS_MAX = 6_000;
const APPLY_MS_MAX = 60_000;

const mongo = await testDatabase();
const plane = await startControlPlane(mongo.uri);
try {
  for (let start = 0; start < MONITORS; start += ADDED_AT_ONCE) {
    const monitors = Array.from({ length: Math.min(ADDED_AT_ONCE, MONITORS - start) }, (_, n) => ({
      ...{
        name: `Monitor ${start + n}`,
        url: `https://${start + n}.example.com/`,
        type: 'http',
        interval_seconds: 3_600,
      },
      tags: start + n < FEW ? ['few'] : [],
    }));
    await must(202, 'POST', '/v1/monitors/bulk', { operation: 'add', monitors });
  }
  const { body } = await plane.api('GET', '/v1/monitors?limit=1');
  for (const [name, filter, monitors] of [
    ['500', { tag: 'few' }, FEW],
    ['10,000', {}, MONITORS],
  ] as const) {
    const change = { operation: 'set', filter, set: { interval_seconds: monitors === FEW ? 1_800 : 900 } };
    const [preview, previewMs] = await timed(() =>
      must(200, 'POST', '/v1/monitors/bulk', { ...change, dry_run: true }),
    );
    figure(`dry run of ${name} monitors`, previewMs, DRY_RUN_MS_MAX, {
      tested: preview.alerts.monitors_tested,
      changed: preview.changed,
    });
    const started = performance.now();
    const [job, acceptedMs] = await timed(() =>
      must(202, 'POST', '/v1/monitors/bulk', { ...change, fingerprint: preview.fingerprint }),
    );
    figure(`acceptance of ${name} monitors`, acceptedMs, DRY_RUN_MS_MAX, {});
    const edits = await editUntilEnd(job.id, body.data[0].id);
    figure(`application of ${name} monitors`, performance.now() - started, APPLY_MS_MAX, {});
    if (edits.length > 0) {
      figure(`single edits during ${name}, p99`, percentile(edits, 0.99), EDIT_P99_MS_MAX, {
        edits: edits.length,
        p50_ms: Math.round(percentile(edits, 0.5)),
      });
    }
    const [, undoneMs] = await timed(async () => {
      await must(202, 'POST', `/v1/monitors/bulk/${job.id}/undo`, { on_conflict: 'skip' });
      await editUntilEnd(job.id, null);
    });
    figure(`undo of ${name} monitors`, undoneMs, APPLY_MS_MAX, {});
  }
} finally {
  await plane.remove();
  await mongo.drop();
}

/** Changes the name of a monitor again and again until the job has ended. Returns the time of each change. */
async function editUntilEnd(jobId: string, monitorId: string | null): Promise<number[]> {
  const times: number[] = [];
  for (let edits = 0; ; edits++) {
    const { state } = await must(200, 'GET', `/v1/monitors/bulk/${jobId}`);
    if (state === 'applied' || state === 'undone') return times;
    if (monitorId !== null) {
      const [, ms] = await timed(() => must(200, 'PATCH', `/v1/monitors/${monitorId}`, { name: `Edit ${edits}` }));
      times.push(ms);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a benchmark reads what the API answers.
async function must(status: number, method: string, path: string, body?: unknown): Promise<any> {
  const answer = await plane.api(method, path, body);
  if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const started = performance.now();
  return [await work(), performance.now() - started];
}

function figure(name: string, value: number, limit: number, more: Record<string, number>): void {
  printFigure({ name: `bulk: ${name}`, value: Math.round(value), unit: 'ms', limit, atMost: true, ...more });
}
