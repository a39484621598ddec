import t from 'tap';
import type { BulkItemDocument, BulkJobDocument } from '../../../control-plane/monitor-bulk/documents.js';
import { startBulkApp } from '../../helpers/monitor-bulk/app.js';
import { monitorActions, shop } from '../../helpers/monitors/actions.js';

const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

async function appAt(t: { teardown(run: () => unknown): void }) {
  const time = { ms: Date.now() };
  const bulkApp = await startBulkApp({ now: () => time.ms });
  t.teardown(() => bulkApp.app.stop());
  const jobs = bulkApp.app.mongo.db.collection<BulkJobDocument>('monitor_bulk_jobs');
  const items = bulkApp.app.mongo.db.collection<BulkItemDocument>('monitor_bulk_items');
  return { ...monitorActions(bulkApp.app), ...bulkApp, time, jobs, items };
}

t.test('the images of a workspace have a size limit, and a lower one for those with secrets', async (t) => {
  const { create, apply, bulk, undone, jobs, time, work, stored } = await appAt(t);
  const plain = await create(shop);
  const secret = await create({ ...shop, name: 'Secret', http: { headers: { authorization: 'Bearer 1' } } });
  const first = await apply({ operation: 'set', ids: [plain.id, secret.id], set: { retries: 4 } });
  const [stored1] = await jobs.find().toArray();
  t.ok((stored1?.image_bytes ?? 0) > 20, 'BSON of two small images');
  t.ok((stored1?.image_bytes ?? 0) < 300);
  t.equal(stored1?.secret_image_bytes, 0, 'the change concerned no secret');
  const before = await stored();

  await jobs.updateOne({ _id: first.id }, { $set: { image_bytes: 64 * MIB - 1 } });
  const refusal = {
    status: 409,
    code: 'conflict',
    detail: /keep 1 KiB of settings. It keeps at most 64\.0 MiB .* 64\.0 MiB are in use.*fewer/,
  };
  t.match((await bulk({ operation: 'pause', ids: [plain.id] })).body, refusal);
  t.match((await bulk({ operation: 'pause', ids: [plain.id], dry_run: true })).body, refusal, 'a dry run says so');
  await jobs.updateOne({ _id: first.id }, { $set: { image_bytes: 100, secret_image_bytes: 32 * MIB - 1 } });
  await apply({ operation: 'pause', ids: [plain.id] });
  for (const change of [
    { operation: 'delete' },
    { operation: 'set', set: { http: { headers: { authorization: 'Bearer 2' } } } },
  ]) {
    t.match((await bulk({ ...change, ids: [secret.id] })).body, { status: 409, detail: /with secrets.*32\.0 MiB/ });
  }
  t.same(
    (await stored()).map(({ name, retries }) => [name, retries]),
    before.map(({ name, retries }) => [name, retries]),
  );
  await undone(first.id, { on_conflict: 'overwrite' });
  const deleted = await apply({ operation: 'delete', ids: [secret.id] });
  t.ok(((await jobs.findOne({ _id: deleted.id }))?.secret_image_bytes ?? 0) > 500, 'an undone change takes no room');
  time.ms += DAY_MS + 1;
  await jobs.updateOne({ _id: deleted.id }, { $set: { secret_image_bytes: 32 * MIB } });
  await work();
  const changed = await apply({ operation: 'set', ids: [plain.id], set: { http: { body: 'b' } } });
  t.match(changed, { state: 'applied' }, 'after 24 hours the room is free');
});

t.test('an undone change keeps no image, and names the monitors that it left as they were', async (t) => {
  const { create, apply, undone, app, items, time, work, get } = await appAt(t);
  const { id } = await create(shop);
  const other = await create({ ...shop, name: 'Other' });
  const { id: job } = await apply({ operation: 'set', ids: [id, other.id], set: { http: { body: 'secret' } } });
  t.equal(await items.countDocuments({ image: { $ne: null } }), 2);
  await app.request('PATCH', `/v1/monitors/${id}`, { body: { name: 'Changed' } });
  await undone(job, { on_conflict: 'skip' });
  t.equal(await items.countDocuments({ image: { $ne: null } }), 0);
  time.ms += 12_000;
  await work();
  t.equal(await items.countDocuments(), 0);
  t.match((await get(job)).exceptions, [{ id }]);
});

t.test('changes of earlier versions, without sizes of images, do not switch the limits off', async (t) => {
  const { create, apply, bulk, jobs, items, time, work } = await appAt(t);
  const [one, other] = [await create(shop), await create({ ...shop, name: 'Other' })];
  const earlier = await apply({ operation: 'pause', ids: [one.id] });
  const unknown = { image_bytes: '', secret_image_bytes: '', clean_at_ms: '' } as const;
  await jobs.updateOne({ _id: earlier.id }, { $unset: unknown });
  const { id } = await apply({ operation: 'pause', ids: [other.id] });
  await jobs.updateOne({ _id: id }, { $set: { image_bytes: 64 * MIB } });
  t.match((await bulk({ operation: 'resume', ids: [other.id] })).body, { status: 409, detail: /64\.0 MiB are in use/ });
  time.ms += DAY_MS - HOUR_MS;
  await work();
  t.equal(await items.countDocuments(), 2, 'both can still be undone');
  time.ms += HOUR_MS + 1;
  await work();
  t.equal(await items.countDocuments(), 0, 'the images are deleted after 24 hours');
  t.equal((await bulk({ operation: 'resume', ids: [other.id] })).status, 202);
});

t.test('a workspace makes 1,000 bulk changes within 24 hours; undoing is always possible', async (t) => {
  const { create, apply, bulk, undo, undone, jobs, time } = await appAt(t);
  const { id } = await create(shop);
  const paused = await apply({ operation: 'pause', ids: [id] });
  const [job] = await jobs.find().toArray();
  if (job === undefined) throw new Error('no job');
  const fill = Array.from({ length: 999 }, (_, n) => ({
    ...{ ...job, _id: `${job._id.slice(0, -4)}${String(n).padStart(4, '0')}`, has_items: false },
    requested_at_ms: job.requested_at_ms + 2 * HOUR_MS,
  }));
  await jobs.insertMany(fill);
  time.ms += 3 * HOUR_MS;
  const refused = await bulk({ operation: 'resume', ids: [id] });
  t.match(refused.body, { status: 429, code: 'rate_limited', detail: /1,000 bulk changes within 24 hours/ });
  t.equal(refused.headers.get('retry-after'), String(21 * 3_600));
  await undone(paused.id);
  t.match((await undo(paused.id)).body, { detail: /has been undone/ });
  time.ms += 21 * HOUR_MS + 1;
  t.equal((await bulk({ operation: 'pause', ids: [id] })).status, 202);
});

t.test('cleaning keeps up with many changes that expire together', async (t) => {
  const { create, apply, jobs, items, time, work } = await appAt(t);
  const { id } = await create(shop);
  await apply({ operation: 'pause', ids: [id] });
  const [job] = await jobs.find().toArray();
  const [item] = await items.find().toArray();
  if (job === undefined || item === undefined) throw new Error('no job');
  const ids = Array.from({ length: 200 }, (_, n) => `${job._id.slice(0, -4)}${String(n).padStart(4, '0')}`);
  await jobs.insertMany(ids.map((_id) => ({ ...job, _id })));
  await items.insertMany(ids.map((jobId) => ({ ...item, _id: `${jobId}/000000` })));
  time.ms += DAY_MS + 1;
  await work();
  t.equal(await items.countDocuments(), 0);
  t.equal(await jobs.countDocuments({ has_items: true }), 0);
});
