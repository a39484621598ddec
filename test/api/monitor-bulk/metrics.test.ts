import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';

t.test('metrics say how many bulk changes are not written completely, and for how long', async (t) => {
  const mongo = await testDatabase();
  const { url, remove } = await startControlPlane(mongo.uri);
  t.teardown(async () => {
    await remove();
    await mongo.drop();
  });
  const shown = async () =>
    (await (await fetch(`${url}/metrics`)).text()).split('\n').filter((line) => line.startsWith('picket_monitor_bulk'));
  t.same(await shown(), ['picket_monitor_bulk_open 0', 'picket_monitor_bulk_oldest_open_seconds 0']);
  const nowMs = Date.now();
  // The workspace does not exist, so nothing writes it.
  const job = (n: number, requested_at_ms: number, undo: { requested_at_ms: number } | null) => ({
    ...{ _id: `blk_${n}`, workspace_id: `ws_${n}`, open: true, requested_at_ms, undo },
  });
  await mongo.db
    .collection<ReturnType<typeof job>>('monitor_bulk_jobs')
    .insertMany([job(1, nowMs - 400_000, null), job(2, 0, { requested_at_ms: nowMs - 10_000 })]);
  const [open, oldest = ''] = await shown();
  const afterMs = Date.now();
  t.equal(open, 'picket_monitor_bulk_open 2');
  const ageS = Number(oldest.split(' ')[1]);
  t.ok(ageS >= 400 && ageS <= Math.ceil((afterMs - nowMs) / 1_000) + 400, `${ageS} s`);
});
