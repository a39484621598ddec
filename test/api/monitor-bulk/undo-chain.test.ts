import t from 'tap';
import { startBulkApp } from '../../helpers/monitor-bulk/app.js';
import { monitorActions, shop } from '../../helpers/monitors/actions.js';

async function appWith(t: { teardown(run: () => unknown): void }, count: number) {
  const bulkApp = await startBulkApp();
  t.teardown(() => bulkApp.app.stop());
  const { create } = monitorActions(bulkApp.app);
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push((await create({ ...shop, name: `Shop ${n}` })).id);
  return { ...bulkApp, ids };
}

t.test('several changes are undone one after the other, the newest first', async (t) => {
  const { ids, apply, undone, stored, settings } = await appWith(t, 3);
  const states = [settings(await stored())];
  const changes: string[] = [];
  for (const change of [
    { operation: 'set', ids, set: { retries: 4 } },
    { operation: 'set', ids, set: { timeout_ms: 4_000 } },
    { operation: 'add_tags', ids, tags: ['a'] },
    { operation: 'pause', ids },
    { operation: 'delete', ids },
  ]) {
    changes.push((await apply(change)).id);
    states.push(settings(await stored()));
  }
  for (const id of changes.toReversed()) {
    states.pop();
    t.match(await undone(id), { state: 'undone', kept: 0 });
    t.same(settings(await stored()), states.at(-1));
  }
  const [first] = await stored();
  t.equal(first?.paused_at_ms, null);
});

t.test('an addition can be undone after what was done to its monitors', async (t) => {
  const { apply, undone, stored } = await appWith(t, 0);
  const added = await apply({ operation: 'add', monitors: [{ ...shop, name: 'New' }] });
  for (const change of [
    { operation: 'set', filter: {}, set: { retries: 4 } },
    { operation: 'delete', filter: {} },
  ]) {
    await undone((await apply(change)).id);
  }
  t.match(await undone(added.id), { state: 'undone', kept: 0 });
  t.same(await stored(), []);
});

t.test('what somebody else has changed in between is still refused', async (t) => {
  const { app, ids, apply, undone, undo } = await appWith(t, 2);
  const [id = ''] = ids;
  const rename = () => app.request('PATCH', `/v1/monitors/${id}`, { body: { name: `Renamed ${Math.random()}` } });
  const first = await apply({ operation: 'set', ids, set: { retries: 4 } });
  await rename();
  const second = await apply({ operation: 'set', ids, set: { timeout_ms: 4_000 } });
  await undone(second.id);
  t.match((await undo(first.id)).body, { status: 409, errors: [{ path: `/monitors/${id}` }] });
  const third = await apply({ operation: 'set', ids, set: { timeout_ms: 4_000 } });
  await rename();
  await undone(third.id, { on_conflict: 'overwrite' });
  t.match((await undo(first.id)).body, { status: 409, errors: [{ path: `/monitors/${id}` }] });
  t.match(await undone(first.id, { on_conflict: 'skip' }), { state: 'undone', kept: 1 });
});
