import t from 'tap';
import { writePart } from '../../../control-plane/monitor-bulk/applying/part.js';
import type { BulkChange, BulkPreview } from '../../../control-plane/monitor-bulk/schema.js';
import type { ResultDocument } from '../../../control-plane/results/documents.js';
import { resultId } from '../../../control-plane/results/documents.js';
import { startBulkApp } from '../../helpers/monitor-bulk/app.js';
import { monitorActions, shop } from '../../helpers/monitors/actions.js';

const HOUR_MS = 3_600_000;

t.test('plan limits are checked for all before anything is written', async (t) => {
  const { app, bulk, needs, stored, apply, undo } = await startBulkApp({ plan: 'Free' });
  t.teardown(() => app.stop());
  const { create } = monitorActions(app);
  const { id } = await create();
  const faster = { operation: 'set', ids: [id], set: { interval_seconds: 10 } };
  t.match((await bulk(faster)).body, { status: 402, code: 'plan_limit', detail: /shortest interval/ });
  const lines = Array.from({ length: 20 }, (_, n) => ({ ...shop, name: `Shop ${n}` }));
  t.match((await bulk({ operation: 'add', monitors: lines })).body, { status: 402, detail: /20 monitors/ });
  t.equal((await bulk({ operation: 'add', monitors: lines, dry_run: true })).status, 402);
  const { newSettings } = needs.monitors;
  needs.monitors.newSettings = () => {
    throw new Error('the plan is checked before the settings');
  };
  t.equal((await bulk({ operation: 'add', monitors: lines })).status, 402);
  needs.monitors.newSettings = newSettings;
  t.equal((await stored()).length, 1);
  const deleted = await apply({ operation: 'delete', ids: [id] });
  await apply({ operation: 'add', monitors: lines });
  t.match((await undo(deleted.id)).body, {
    ...{ status: 402, code: 'plan_limit' },
    detail:
      /Nothing was undone\. The undo creates 1 monitor again\. The workspace has 20, and the Free plan allows 20\. Delete 1/,
  });
  t.equal((await stored()).length, 20);
});

t.test('an accepted undo of a deletion holds room for what it creates again, and only for that', async (t) => {
  const { app, bulk, apply, undo, work, get, needs, stored } = await startBulkApp({ plan: 'Free' });
  t.teardown(() => app.stop());
  const lines = (count: number) => Array.from({ length: count }, (_, n) => ({ ...shop, name: `Shop ${n}` }));
  await apply({ operation: 'add', monitors: lines(12) });
  const [gone] = await stored();
  const started = await bulk<BulkChange>({ operation: 'delete', filter: {} });
  await app.request('DELETE', `/v1/monitors/${gone?._id}`);
  await work();
  t.match(await get(started.body.data.id), { state: 'applied', skipped: 1 }, 'one was deleted by somebody else');
  await apply({ operation: 'add', monitors: lines(8) });
  t.equal((await undo(started.body.data.id)).status, 202, '11 were deleted: with 8 there is room');
  const part = { workspaceId: app.workspace.id, jobId: started.body.data.id, plan: 'Free' } as const;
  await writePart(needs, part, 5);
  const create = () => app.request('POST', '/v1/monitors', { body: { ...shop, name: 'New' } });
  t.equal((await create()).status, 201, 'the 20th monitor');
  t.match((await create()).body, { status: 402, code: 'plan_limit' }, 'the rest is held for the undo');
  await work();
  t.equal((await stored()).length, 20);
  t.match(await get(part.jobId), { state: 'undone', kept: 0 });
  await app.request('DELETE', `/v1/monitors/${gone?._id}`);
  const [first] = await stored();
  await app.request('DELETE', `/v1/monitors/${first?._id}`);
  t.equal((await create()).status, 201, 'nothing is held any more');
});

t.test('after 24 hours the images are deleted, and a change cannot be undone', async (t) => {
  const time = { ms: Date.now() };
  const { app, apply, undo, work, get } = await startBulkApp({ now: () => time.ms });
  t.teardown(() => app.stop());
  const { create } = monitorActions(app);
  const { id } = await create();
  const items = app.mongo.db.collection('monitor_bulk_items');
  const paused = await apply({ operation: 'pause', ids: [id] });
  t.equal(await items.countDocuments(), 1);
  time.ms += 24 * HOUR_MS - 1;
  t.ok((await get(paused.id)).undo_until);
  time.ms += 2;
  t.equal((await get(paused.id)).undo_until, null);
  t.match((await undo(paused.id)).body, { status: 409, detail: /24 h/ });
  await work();
  t.equal(await items.countDocuments(), 0);
  t.match(await get(paused.id), { state: 'applied', total: 1 }, 'the list still shows it');
});

t.test('a part is written once, on the monitors as they are; what no longer fits is skipped and named', async (t) => {
  const { app, bulk, get, needs, stored, settings, standing, work, undo } = await startBulkApp();
  t.teardown(() => app.stop());
  const { create } = monitorActions(app);
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) ids.push((await create({ ...shop, name: `Shop ${n}` })).id);
  const before = await stored();
  const started = await bulk<BulkChange>({ operation: 'set', ids, set: { confirmations: 5 } });
  const part = { workspaceId: app.workspace.id, jobId: started.body.data.id, plan: 'Enterprise' } as const;
  standing.stopped = true;
  await work();
  t.match(await get(part.jobId), { done: 0 }, 'the changes of a stopped workspace wait');
  standing.stopped = false;

  t.equal(await writePart(needs, part, 2), true);
  t.match(await get(part.jobId), { state: 'applying', done: 2 });
  // Two processes that write the same part: one of them writes it, and the other one the next.
  await Promise.all([writePart(needs, part, 1), writePart(needs, part, 1)]);
  t.match(await get(part.jobId), { state: 'applying', done: 4 });
  await app.request('PATCH', `/v1/monitors/${ids[4]}`, { body: { locations: ['fra'] } });
  await app.request('DELETE', `/v1/monitors/${ids[5]}`);
  await work();
  t.match(await get(part.jobId), {
    ...{ state: 'applied', done: 6, skipped: 2 },
    exceptions: [
      { id: ids[4], reason: /confirmations/ },
      { id: ids[5], reason: /deleted/ },
    ],
  });
  t.same(
    (await stored()).map(({ confirmations, version }) => [confirmations, version]),
    [
      ...[
        [5, 2],
        [5, 2],
        [5, 2],
        [5, 2],
      ],
      [null, 2],
    ],
  );
  t.equal((await undo(part.jobId)).status, 202, 'skipped monitors do not hinder the undo');
  await work();
  t.same(settings((await stored()).slice(0, 4)), settings(before.slice(0, 4)));
  const { exceptions } = await get(part.jobId);
  t.equal(exceptions.length, 2);
  for (const job of await needs.store.obsolete({ nowMs: Date.now() + 1, finishedBeforeMs: 0 }, 1))
    await needs.store.removeItems(job);
  t.equal(await app.mongo.db.collection('monitor_bulk_items').countDocuments(), 0);
  t.same((await get(part.jobId)).exceptions, exceptions, 'what was left out is still named without the items');
});

t.test('the alerts of the last seven days with the new settings', async (t) => {
  const { app, preview } = await startBulkApp();
  t.teardown(() => app.stop());
  const { create, openIncident } = monitorActions(app);
  const { id } = await create({ ...shop, locations: ['fra', 'nyc', 'sin'], confirmations: 1, retries: 0 });
  const other = await create(shop);
  await app.mongo.db.collection<ResultDocument>('results').insertMany(failures(id, app.workspace.id));
  await openIncident(id);
  const stricter = await preview({ operation: 'set', ids: [id, other.id], set: { confirmations: 2 } });
  t.match(stricter.alerts, {
    ...{ basis: 'replayed', were: 1, tested_were: 1, tested_would_have_been: 0 },
    ...{ monitors_tested: 2, complete: true },
  });
  const same = await preview({ operation: 'set', ids: [id], set: { retries: 0, confirmations: 1, tags: ['a'] } });
  t.match(same.alerts, { basis: 'replayed', tested_would_have_been: 1 });
  const paused = await preview({ operation: 'pause', ids: [id] });
  t.match(paused.alerts, { basis: 'stopped', were: 1, tested_would_have_been: 0 });
  const tagged: BulkPreview = await preview({ operation: 'add_tags', ids: [id], tags: ['a'] });
  t.match(tagged.alerts, { basis: 'same', tested_would_have_been: 1 });
});

/** Two hours ago, one of three locations fails for ten minutes. */
function failures(monitorId: string, workspaceId: string): ResultDocument[] {
  const startMs = Math.floor((Date.now() - 2 * HOUR_MS) / 60_000) * 60_000;
  return Array.from({ length: 20 }, (_, minute) => minute).flatMap((minute) =>
    ['fra', 'nyc', 'sin'].map((location): ResultDocument => {
      const slot_ms = startMs + minute * 60_000;
      const up = location !== 'sin' || minute < 5 || minute >= 15;
      return {
        _id: resultId(monitorId, slot_ms, location, 0),
        ...{ workspace_id: workspaceId, monitor_id: monitorId, location, slot_ms, checked_at_ms: slot_ms, attempt: 0 },
        ...{ final: true, reason: 'schedule', up, response_time_ms: 20, http_status: up ? 200 : 500 },
        error: up ? null : { code: 'status_mismatch', message: 'status 500' },
        received_at: new Date(slot_ms + 100),
      } as ResultDocument;
    }),
  );
}
