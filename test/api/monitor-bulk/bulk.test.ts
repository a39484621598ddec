import t from 'tap';
import type { BulkChange } from '../../../control-plane/monitor-bulk/schema.js';
import type { Monitor } from '../../../control-plane/monitors/schema.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { settingsAsStored, startBulkApp } from '../../helpers/monitor-bulk/app.js';
import { monitorActions } from '../../helpers/monitors/actions.js';

async function appWithMonitors(t: { teardown(run: () => unknown): void }, count: number) {
  const bulkApp = await startBulkApp();
  t.teardown(() => bulkApp.app.stop());
  const { create, openIncident, unresolved, audits } = monitorActions(bulkApp.app);
  const monitors: Monitor[] = [];
  for (let index = 0; index < count; index++) {
    monitors.push(
      await create({
        name: `Site ${index}`,
        url: `https://user:secret@${index}.example.com/`,
        type: 'http',
        tags: index % 2 === 0 ? ['even'] : [],
        http: { headers: { authorization: `Bearer ${index}` }, body: `body ${index}` },
      }),
    );
  }
  return { ...bulkApp, ids: monitors.map(({ id }) => id), openIncident, unresolved, audits };
}

t.test('a dry run says exactly what is applied, and an undo restores the settings byte for byte', async (t) => {
  const { ids, preview, apply, undone, stored, bulk, app, audits } = await appWithMonitors(t, 5);
  const before = await stored();
  const change = { operation: 'set', ids, set: { interval_seconds: 30, http: { headers: { 'x-key': 'new' } } } };
  const shown = await preview(change);
  t.match(shown, {
    ...{ dry_run: true, selected: 5, changed: 5, unchanged: 0, refused: 0, not_found: 0, next_offset: null },
    groups: [{ field: 'interval_seconds', from: 60, to: 30, monitors: 5 }],
    alerts: { basis: 'unknown', were: 0 },
  });
  t.notMatch(JSON.stringify(shown), /secret|Bearer|new"/, 'no secret is shown');
  t.same(await stored(), before, 'a dry run writes nothing');

  const done = await apply({ ...change, fingerprint: shown.fingerprint });
  t.match(done, { state: 'applied', total: 5, done: 5, skipped: 0, exceptions: [], requested_by: app.workspace.email });
  t.ok(done.undo_until);
  const after = await app.request<Monitor[]>('GET', '/v1/monitors');
  for (const row of shown.rows) {
    const now = after.body.data.find(({ id }) => id === row.id);
    t.match(now, { interval_seconds: row.changes['interval_seconds']?.to, http: { headers: { 'x-key': 'new' } } });
    t.match(await audits(row.id ?? ''), [
      { action: 'monitor.created' },
      { action: 'monitor.updated', metadata: { changes: row.changes } },
    ]);
  }
  t.match(await audits(done.id), [{ action: 'monitor.bulk_changed', metadata: { operation: 'set', monitors: 5 } }]);

  t.match(await undone(done.id), {
    state: 'undone',
    done: 5,
    kept: 0,
    undo_until: null,
    undone_by: app.workspace.email,
  });
  t.same((await stored()).map(settingsAsStored), before.map(settingsAsStored));
  t.equal((await audits(done.id)).length, 2);
  const again = await app.request('POST', `/v1/monitors/bulk/${done.id}/undo`);
  t.match(again.body, { status: 409, code: 'conflict', detail: /has been undone/ });
  t.equal((await bulk({ ...change, operation: 'pause' })).status, 422, 'set does not belong to pause');
});

t.test('a change between dry run and application is refused, and named', async (t) => {
  const { ids, preview, bulk, app, stored } = await appWithMonitors(t, 3);
  const change = { operation: 'set', filter: { tag: 'even' }, set: { retries: 3 } };
  const { fingerprint, selected } = await preview(change);
  t.equal(selected, 2);
  await app.request('PATCH', `/v1/monitors/${ids[0]}`, { body: { name: 'Renamed' } });
  const before = await stored();
  const refused = await bulk({ ...change, fingerprint });
  t.match(refused.body, {
    ...{ status: 412, code: 'precondition_failed', detail: /"Renamed" changed/ },
    errors: [{ path: `/monitors/${ids[0]}` }],
  });
  const other = await bulk({ ...change, set: { retries: 2 }, fingerprint });
  t.match(other.body, { status: 412, detail: /another operation/ });
  const { fingerprint: next } = await preview(change);
  await app.request('DELETE', `/v1/monitors/${ids[2]}`);
  t.match((await bulk({ ...change, fingerprint: next })).body, { status: 412, detail: /1 monitor is no longer/ });
  t.same((await stored()).slice(0, 2), before.slice(0, 2));
});

t.test('one refused monitor refuses the whole change, and nothing is written', async (t) => {
  const { ids, preview, bulk, app, stored } = await appWithMonitors(t, 3);
  await app.request('PATCH', `/v1/monitors/${ids[1]}`, { body: { locations: ['fra'] } });
  const before = await stored();
  const change = { operation: 'set', ids, set: { confirmations: 3 } };
  const shown = await preview(change);
  t.match(shown, { changed: 2, refused: 1, rows: [{ id: ids[1], result: 'refused', reasons: [/confirmations/] }] });
  t.match((await bulk(change)).body, { status: 422, code: 'validation_failed', detail: /Nothing was changed: Site 1/ });
  t.same(await stored(), before);
  const channel = 'chn_01kf5e6q0h3v8r2m9x4t7c1z5n';
  t.match((await bulk({ operation: 'set', ids, set: { channels: [channel] } })).body, {
    status: 422,
    detail: /channel/,
  });
});

t.test('pause, resume and delete do what the single operations do, and can be undone', async (t) => {
  const { ids, apply, undone, stored, openIncident, unresolved, app, bulk } = await appWithMonitors(t, 4);
  const [first = '', second = ''] = ids;
  await openIncident(first);
  await app.request('POST', `/v1/monitors/${second}/pause`);
  const before = await stored();

  const paused = await apply({ operation: 'pause', filter: {} });
  t.match(paused, { total: 3, done: 3 }, 'a paused monitor stays as it is');
  t.equal(await unresolved(first), null, 'the incident of a paused monitor is resolved');
  await undone(paused.id);
  t.same((await stored()).map(settingsAsStored), before.map(settingsAsStored));

  const resumed = await apply({ operation: 'resume', ids: [second] });
  await undone(resumed.id);
  t.same((await stored()).map(settingsAsStored), before.map(settingsAsStored), 'the pause begins when it began');

  await openIncident(first);
  const deleted = await apply({ operation: 'delete', filter: {}, except: [ids[3]] });
  t.match(deleted, { total: 3 });
  t.same(
    (await stored()).map(({ _id }) => _id),
    [ids[3]],
  );
  t.equal(await unresolved(first), null);
  await undone(deleted.id);
  const revived = await stored();
  t.same(revived.map(settingsAsStored), before.map(settingsAsStored), 'with ids, sealed secrets and pauses');
  t.match(revived[0], {
    created_at_ms: before[0]?.created_at_ms,
    live: {},
    state: { attention: true, incident: null },
  });
  t.ok((revived[0]?.version ?? 0) > (before[0]?.version ?? 0), 'results of before the deletion no longer vote');
  await app.directory.refresh(ids);
  t.equal(app.directory.lookup(first)?.live_from_version, revived[0]?.version);
  t.equal((await bulk({ operation: 'pause', ids: [], dry_run: true })).status, 422);
});

t.test('tags are added and removed, and unchanged monitors are left alone', async (t) => {
  const { ids, apply, undone, stored, preview } = await appWithMonitors(t, 3);
  const before = await stored();
  const added = await apply({ operation: 'add_tags', ids, tags: ['even', 'shop'] });
  t.same(
    (await stored()).map(({ tags }) => tags),
    [
      ['even', 'shop'],
      ['even', 'shop'],
      ['even', 'shop'],
    ],
  );
  t.match(await preview({ operation: 'add_tags', ids, tags: ['shop'] }), { changed: 0, unchanged: 3 });
  const removed = await apply({ operation: 'remove_tags', filter: { tag: 'shop' }, tags: ['even'] });
  t.same(
    (await stored()).map(({ tags }) => tags),
    [['shop'], ['shop'], ['shop']],
  );
  await undone(removed.id);
  await undone(added.id, { on_conflict: 'overwrite' });
  t.same((await stored()).map(settingsAsStored), before.map(settingsAsStored));
});

t.test('an undo refuses monitors that somebody has changed, or skips or overwrites them', async (t) => {
  const { ids, apply, undo, undone, stored, app, get } = await appWithMonitors(t, 3);
  const tagged = await apply({ operation: 'set', ids, set: { retries: 4 } });
  await app.request('PATCH', `/v1/monitors/${ids[0]}`, { body: { name: 'Changed since' } });
  await app.request('DELETE', `/v1/monitors/${ids[1]}`);
  const before = await stored();
  t.match((await undo(tagged.id)).body, {
    ...{ status: 409, code: 'conflict', detail: /"Changed since", "Site 1"/ },
    errors: [{ message: 'has changed since' }, { message: 'was deleted since' }],
  });
  t.same(await stored(), before, 'nothing is undone');
  await undone(tagged.id, { on_conflict: 'skip' });
  t.match(await get(tagged.id), {
    ...{ state: 'undone', kept: 2 },
    exceptions: [
      { id: ids[0], reason: /changed since/ },
      { id: ids[1], reason: /deleted since/ },
    ],
  });
  t.same(
    (await stored()).map(({ retries }) => retries),
    [4, 1],
  );
});

t.test('new monitors are added all or none, and removed by an undo', async (t) => {
  const { apply, undone, stored, bulk, preview } = await appWithMonitors(t, 0);
  const lines = Array.from({ length: 120 }, (_, n) => ({
    name: `Pasted ${n}`,
    url: `${n}.example.com:25`,
    type: 'tcp',
  }));
  const shown = await preview({ operation: 'add', monitors: lines, limit: 10 });
  t.match(shown, { changed: 120, refused: 0, next_offset: 10, alerts: { basis: 'unknown' } });
  t.equal((await stored()).length, 0);
  const bad = [...lines, { name: 'Bad', url: 'no port', type: 'tcp' }];
  t.match((await bulk({ operation: 'add', monitors: bad })).body, { status: 422, detail: /Bad/ });
  t.match(await preview({ operation: 'add', monitors: bad, limit: 1 }), { rows: [{ name: 'Bad', result: 'refused' }] });
  t.equal((await stored()).length, 0);
  const added = await apply({ operation: 'add', monitors: lines, fingerprint: shown.fingerprint });
  t.match(added, { state: 'applied', total: 120, done: 120 });
  t.equal((await stored()).length, 120);
  await undone(added.id);
  t.equal((await stored()).length, 0);
});

t.test('one job at a time; an Idempotency-Key is honoured; other workspaces see nothing', async (t) => {
  const { ids, bulk, app, work, get, undo } = await appWithMonitors(t, 2);
  const body = { operation: 'pause', ids };
  const headers = { 'idempotency-key': 'once' };
  const started = await app.request<BulkChange>('POST', '/v1/monitors/bulk', { body, headers });
  t.match(started.body.data, { state: 'applying', done: 0, undo_until: null });
  t.match((await undo(started.body.data.id)).body, { status: 409, detail: /still being applied/ });
  t.match((await bulk({ operation: 'resume', ids })).body, { status: 409, code: 'conflict' });
  await work();
  const repeated = await app.request<BulkChange>('POST', '/v1/monitors/bulk', { body, headers });
  t.equal(repeated.body.data.id, started.body.data.id);
  t.equal((await app.request<unknown[]>('GET', '/v1/monitors/bulk')).body.data.length, 1);
  t.match(await get(started.body.data.id), { state: 'applied' });

  const { key } = await buildKey(app.mongo, await buildWorkspace(app.mongo));
  t.equal((await app.request('GET', `/v1/monitors/bulk/${started.body.data.id}`, { key })).status, 404);
  t.equal((await undo(started.body.data.id, undefined, key)).status, 404);
  t.same((await app.request<unknown[]>('GET', '/v1/monitors/bulk', { key })).body.data, []);
  const foreign = await bulk<{ not_found: number; selected: number }>({ operation: 'delete', ids, dry_run: true }, key);
  t.match(foreign.body.data, { selected: 0, not_found: 2 });
  const viewer = await buildKey(app.mongo, app.workspace, { scopes: ['monitors:read'] });
  t.equal((await bulk({ ...body, dry_run: true }, viewer.key)).status, 403);
});
