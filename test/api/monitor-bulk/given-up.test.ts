import t from 'tap';
import type { BulkJobDocument } from '../../../control-plane/monitor-bulk/documents.js';
import type { BulkChange } from '../../../control-plane/monitor-bulk/schema.js';
import { startBulkApp } from '../../helpers/monitor-bulk/app.js';

const MONITORS = 130;
const monitors = Array.from({ length: MONITORS }, (_, n) => ({ name: `M ${n}`, url: `${n}.example:1`, type: 'tcp' }));

async function appWith(t: { teardown(run: () => unknown): void }) {
  const time = { ms: Date.now() };
  const bulkApp = await startBulkApp({ now: () => time.ms });
  t.teardown(() => bulkApp.app.stop());
  await bulkApp.apply({ operation: 'add', monitors });
  const jobs = bulkApp.app.mongo.db.collection<BulkJobDocument>('monitor_bulk_jobs');
  /** Works for as many minutes, and returns how many times a part was tried. */
  const workFor = async (minutes: number) => {
    for (const untilMs = time.ms + minutes * 60_000; time.ms < untilMs; time.ms += 10_000) await bulkApp.work();
  };
  return { ...bulkApp, jobs, time, workFor };
}

t.test('a change that can never be written ends, and names what it left; what it wrote can be undone', async (t) => {
  const { bulk, get, jobs, work, workFor, undone, stored, settings, needs } = await appWith(t);
  const before = settings(await stored());
  const answer = await bulk<BulkChange>({ operation: 'set', filter: {}, set: { retries: 4 } });
  const { id } = answer.body.data;
  const { decide } = needs.monitors;
  let tried = 0;
  needs.monitors.decide = (actor, monitor, operation) => {
    // The first part can be written, and the second one never.
    if (Number(monitor.name.slice(2)) < 100) return decide(actor, monitor, operation);
    tried += 1;
    throw new Error('it cannot be decided');
  };
  await workFor(5);
  t.match(await get(id), { state: 'applying', done: 100, retry_at: String });
  t.ok(tried > 5 && tried < 15, `tried ${tried} times in five minutes`);
  t.equal((await bulk({ operation: 'pause', filter: {} })).status, 409);
  await workFor(8);
  const ended = await get(id);
  t.match(ended, { state: 'applied', done: MONITORS, skipped: 30, retry_at: null });
  t.match(ended.exceptions[0], { reason: /could not change it/, errors: [{ code: 'not_written' }] });
  needs.monitors.decide = decide;
  t.match(await undone(id), { state: 'undone', kept: 0 });
  t.same(settings(await stored()), before);
  t.equal((await bulk({ operation: 'pause', filter: {} })).status, 202, 'others are possible again');
  await work();
  t.equal(await jobs.countDocuments({ open: true }), 0);
});

t.test('a change that fails for a while is completed, and so is an undo given up', async (t) => {
  const { bulk, get, workFor, undo, needs, jobs } = await appWith(t);
  const answer = await bulk<BulkChange>({ operation: 'delete', filter: {} });
  const { id } = answer.body.data;
  const { write, createAgain } = needs.monitors;
  needs.monitors.write = () => Promise.reject(new Error('not now'));
  await workFor(5);
  t.match(await get(id), { state: 'applying', done: 0, retry_at: String });
  needs.monitors.write = write;
  await workFor(2);
  t.match(await get(id), { state: 'applied', done: MONITORS, skipped: 0, retry_at: null });
  t.match(await jobs.findOne({ _id: id as never }), { failures: 0 });
  needs.monitors.createAgain = () => Promise.reject(new Error('never'));
  t.equal((await undo(id)).status, 202);
  await workFor(13);
  t.match(await get(id), { state: 'undone', kept: MONITORS });
  needs.monitors.createAgain = createAgain;
  t.equal((await bulk({ operation: 'add', monitors })).status, 202, 'others are possible again');
});
