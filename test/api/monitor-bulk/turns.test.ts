import t from 'tap';
import type { BulkJobDocument } from '../../../control-plane/monitor-bulk/documents.js';
import type { BulkChange } from '../../../control-plane/monitor-bulk/schema.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { startBulkApp } from '../../helpers/monitor-bulk/app.js';

type Tap = { teardown(run: () => unknown): void; equal(found: unknown, wanted: unknown): unknown };

/** More than two parts. */
const MONITORS = 220;
const monitors = Array.from({ length: MONITORS }, (_, n) => ({ name: `M ${n}`, url: `${n}.example:1`, type: 'tcp' }));

async function appWith(t: Tap) {
  const bulkApp = await startBulkApp();
  t.teardown(() => bulkApp.app.stop());
  const jobs = bulkApp.app.mongo.db.collection<BulkJobDocument>('monitor_bulk_jobs');
  /** Starts a bulk change of all monitors. */
  const start = async (key?: string) => {
    const answer = await bulkApp.bulk<BulkChange>({ operation: 'set', filter: {}, set: { retries: 4 } }, key);
    t.equal(answer.status, 202);
    return answer.body.data.id;
  };
  const add = async (key?: string) => t.equal((await bulkApp.bulk({ operation: 'add', monitors }, key)).status, 202);
  const other = async () => (await buildKey(bulkApp.app.mongo, await buildWorkspace(bulkApp.app.mongo))).key;
  return { ...bulkApp, jobs, start, add, other };
}

t.test('workspaces take turns, also with a change that is accepted meanwhile', async (t) => {
  const { start, add, other, needs, work } = await appWith(t);
  const [second, third] = [await other(), await other()];
  for (const key of [undefined, second, third]) await add(key);
  const first = await start();
  const next = await start(second);
  let late = '';
  const parts: string[] = [];
  const { writePart } = needs.store;
  needs.store.writePart = async (tx, job, ...rest) => {
    if (late === '') late = await start(third);
    parts.push(job._id);
    return writePart(tx, job, ...rest);
  };
  await work();
  t.same(parts, [first, next, first, next, late, first, next, late, late]);
});

t.test('the changes of stopped and deleted workspaces do not hold up the others', async (t) => {
  const { start, add, jobs, work, get, stoppedWorkspaces, deletedWorkspaces } = await appWith(t);
  await add();
  const id = await start();
  const job = await jobs.findOne({ _id: id });
  if (job === null) throw new Error('no job');
  // All of them are older than the change, and more than the runner reads at once.
  const waiting = Array.from({ length: 450 }, (_, n) => ({
    ...job,
    _id: `blk_0${String(n).padStart(25, '0')}`,
    workspace_id: `ws_${n}`,
  }));
  for (const [n, { workspace_id }] of waiting.entries()) {
    (n % 2 === 0 ? stoppedWorkspaces : deletedWorkspaces).add(workspace_id);
  }
  await jobs.insertMany(waiting);
  t.equal(await work(), 3, 'parts');
  t.match(await get(id), { state: 'applied', done: MONITORS });
  t.equal(await jobs.countDocuments({ open: true }), waiting.length, 'they wait');
});
