import t from 'tap';
import type { BulkChange } from '../../../control-plane/monitor-bulk/schema.js';
import type { Monitor } from '../../../control-plane/monitors/schema.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { startBulkApp } from '../../helpers/monitor-bulk/app.js';
import { monitorActions } from '../../helpers/monitors/actions.js';
import { waitFor } from '../../helpers/wait.js';

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
  const { ids, preview, apply, undone, stored, settings, bulk, app, audits } = await appWithMonitors(t, 5);
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
  t.same(done.names, ['Site 0', 'Site 1', 'Site 2']);
  t.ok(done.undo_until);
  const after = await app.request<Monitor[]>('GET', '/v1/monitors');
  for (const row of shown.rows) {
    const now = after.body.data.find(({ id }) => id === row.id);
    t.match(now, { interval_seconds: row.changes['interval_seconds']?.to, http: { headers: { 'x-key': 'new' } } });
    t.match(await audits(row.id ?? ''), [
      { action: 'monitor.created' },
      { action: 'monitor.updated', metadata: { changes: row.changes, bulk_id: done.id } },
    ]);
  }
  t.match(await audits(done.id), [{ action: 'monitor.bulk_changed', metadata: { operation: 'set', monitors: 5 } }]);

  t.match(await undone(done.id), {
    state: 'undone',
    done: 5,
    kept: 0,
    without_channels: 0,
    undo_until: null,
    undone_by: app.workspace.email,
  });
  t.same(settings(await stored()), settings(before));
  t.equal((await audits(done.id)).length, 2);
  const lastOf = async (id: string) => (await audits(id)).at(-1)?.metadata['bulk_id'];
  t.same(
    await Promise.all(ids.map(lastOf)),
    ids.map(() => done.id),
    'the undo names itself too',
  );
  const again = await app.request('POST', `/v1/monitors/bulk/${done.id}/undo`);
  t.match(again.body, { status: 409, code: 'conflict', detail: /has been undone/ });
  t.equal((await bulk({ ...change, operation: 'pause' })).status, 422, 'set does not belong to pause');
});

t.test('a change that finds nothing to change is not listed, and ids of no monitor are counted', async (t) => {
  const { ids, apply, bulk, get, app, audits } = await appWithMonitors(t, 2);
  const unknown = 'mon_01kf5e6q0h3v8r2m9x4t7c1z5n';
  const answer = await bulk<BulkChange>({ operation: 'pause', ids: [unknown] });
  t.match(answer, { status: 202, body: { data: { state: 'applied', total: 0, not_found: 1, undo_until: null } } });
  t.match(await get(answer.body.data.id), { total: 0, not_found: 1 }, 'who asked can look at it');
  const some = await apply({ operation: 'pause', ids: [...ids, unknown] });
  t.match(some, { total: 2, not_found: 1 });
  const again = await apply({ operation: 'pause', ids });
  t.match(again, { total: 0, not_found: 0 });
  const listed = await app.request<BulkChange[]>('GET', '/v1/monitors/bulk?limit=1');
  t.same(
    listed.body.data.map(({ id }) => id),
    [some.id],
  );
  t.equal(listed.body.next_cursor, null);
  t.same(await audits(again.id), []);
});

t.test('a request that cannot be meant is refused with the place and the reason', async (t) => {
  const { ids, bulk } = await appWithMonitors(t, 1);
  const channel = 'chn_01kf5e6q0h3v8r2m9x4t7c1z5n';
  const added = { name: 'New', type: 'http', url: 'https://new.example', channels: [channel] };
  const refused: [body: object, path: string, code: string][] = [
    [{ operation: 'pause' }, '/ids', 'required'],
    [{ operation: 'pause', ids: [] }, '/ids', 'empty'],
    [{ operation: 'pause', ids, filter: {} }, '/filter', 'not_with'],
    [{ operation: 'pause', ids, except: ids }, '/except', 'needs_field'],
    [{ operation: 'pause', ids, tags: ['a'] }, '/tags', 'not_of_operation'],
    [{ operation: 'add', monitors: [{ ...added, channels: [] }], ids }, '/ids', 'not_of_operation'],
    [{ operation: 'add_tags', ids }, '/tags', 'required'],
    [{ operation: 'set', ids, set: {} }, '/set', 'empty'],
    [{ operation: 'set', ids, set: { channels: [channel] } }, '/set/channels/0', 'unknown_channel'],
    [{ operation: 'add', monitors: [{ ...added, channels: [] }, added] }, '/monitors/1/channels/0', 'unknown_channel'],
  ];
  for (const [body, path, code] of refused) {
    t.match((await bulk(body)).body, { status: 422, errors: [{ path, code }] }, JSON.stringify(body));
  }
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
  const { ids, apply, undone, stored, settings, openIncident, unresolved, app, bulk } = await appWithMonitors(t, 4);
  const [first = '', second = ''] = ids;
  await openIncident(first);
  await app.request('POST', `/v1/monitors/${second}/pause`);
  const before = await stored();

  const paused = await apply({ operation: 'pause', filter: {} });
  t.match(paused, { total: 3, done: 3 }, 'a paused monitor stays as it is');
  t.equal(await unresolved(first), null, 'the incident of a paused monitor is resolved');
  await undone(paused.id);
  t.same(settings(await stored()), settings(before));

  const resumed = await apply({ operation: 'resume', ids: [second] });
  await undone(resumed.id);
  t.same(settings(await stored()), settings(before), 'the pause begins when it began');

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
  t.same(settings(revived), settings(before), 'with ids, secrets and pauses');
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
  const { ids, apply, undone, stored, settings, preview } = await appWithMonitors(t, 3);
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
  t.same(settings(await stored()), settings(before));
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
      { id: ids[0], reason: /changed since/, errors: [{ code: 'changed' }] },
      { id: ids[1], reason: /deleted since/, errors: [{ code: 'deleted' }] },
    ],
  });
  t.same(
    (await stored()).map(({ retries }) => retries),
    [4, 1],
  );
});

t.test('an undo restores only what the change changed: not secrets and settings that are newer', async (t) => {
  const { ids, apply, undone, stored, app, get } = await appWithMonitors(t, 2);
  const [first = '', second = ''] = ids;
  const set = { retries: 4, confirmations: 3, http: { body: 'bulk', expected_status: 204 } };
  const done = await apply({ operation: 'set', ids, set });
  const images = await app.mongo.db.collection('monitor_bulk_items').find().toArray();
  for (const { image } of images) {
    t.match(Object.keys(image).sort(), ['fields', 'http', 'of', 'sealed']);
    t.same(
      { ...image, sealed: '' },
      {
        ...{ of: 'settings', sealed: '', http: { expected_status: 200 } },
        fields: { retries: 1, confirmations: null },
      },
    );
  }
  const rotated = { authorization: 'Bearer rotated' };
  await app.request('PATCH', `/v1/monitors/${first}`, {
    body: { name: 'Renamed', url: 'https://user:rotated@0.example.com/', http: { headers: rotated } },
  });
  await app.request('PATCH', `/v1/monitors/${second}`, { body: { confirmations: 1, locations: ['fra'], retries: 2 } });
  const before = await stored();
  await undone(done.id, { on_conflict: 'overwrite' });
  const after = await app.request<Monitor>('GET', `/v1/monitors/${first}`);
  t.match(after.body.data, {
    ...{ name: 'Renamed', url: 'https://user:rotated@0.example.com/', retries: 1, confirmations: null },
    http: { headers: rotated, body: 'body 0', expected_status: 200 },
  });
  t.match((await stored())[1], { locations: ['fra'], retries: 1, confirmations: null }, 'overwritten');
  t.equal((await get(done.id)).kept, 0);
  t.equal((await stored())[1]?.url, before[1]?.url);

  const fewer = await apply({ operation: 'set', ids: [first], set: { confirmations: 3 } });
  const more = await apply({ operation: 'set', ids: [first], set: { confirmations: 1 } });
  await app.request('PATCH', `/v1/monitors/${first}`, { body: { locations: ['fra'] } });
  await undone(more.id, { on_conflict: 'overwrite' });
  t.match(await get(more.id), {
    kept: 1,
    exceptions: [
      {
        id: first,
        reason: /changed since: .confirmations/,
        errors: [{ path: '/confirmations', code: 'more_than_locations' }],
      },
    ],
  });
  t.match((await stored())[0], { confirmations: 1, locations: ['fra'] }, 'it could never go down');
  t.ok(fewer.undo_until);
});

t.test('a change that concerns no secret leaves the sealed secrets as they are', async (t) => {
  const { ids, apply, undone, stored } = await appWithMonitors(t, 1);
  const [before] = await stored();
  const done = await apply({ operation: 'set', ids, set: { interval_seconds: 30 } });
  t.equal((await stored())[0]?.sealed, before?.sealed);
  await undone(done.id);
  t.equal((await stored())[0]?.sealed, before?.sealed);
});

t.test('new monitors are added all or none, and removed by an undo', async (t) => {
  const { app, apply, undone, stored, bulk, preview, audits } = await appWithMonitors(t, 0);
  const lines = Array.from({ length: 120 }, (_, n) => ({
    name: `Pasted ${n}`,
    url: `${n}.example.com:25`,
    type: 'tcp',
  }));
  const shown = await preview({ operation: 'add', monitors: lines, limit: 10 });
  t.match(shown, { changed: 120, refused: 0, next_offset: 10, alerts: { basis: 'unknown' } });
  t.equal((await stored()).length, 0);
  const special = {
    ...{ name: 'Special', url: 'https://special.example', type: 'http', retries: 3, confirmations: 2 },
    ...{ runbook_url: 'https://wiki.example/special', locations: ['fra', 'nyc'] },
    http: { method: 'POST', body: 'secret', headers: { 'x-key': 'secret' }, expected_status: 204, keyword: 'fine' },
  };
  const { rows: told } = await preview({ operation: 'add', monitors: [special] });
  t.match(told[0]?.changes, {
    ...{ retries: { to: 3 }, confirmations: { to: 2 }, runbook_url: { to: special.runbook_url } },
    ...{ 'http.method': { to: 'POST' }, 'http.expected_status': { to: 204 }, 'http.keyword': { to: 'fine' } },
    ...{ 'http.headers': {}, 'http.body': {} },
  });
  t.notMatch(JSON.stringify(told), /secret/);
  const bad = [...lines, { name: 'Bad', url: 'no port', type: 'tcp' }];
  t.match((await bulk({ operation: 'add', monitors: bad })).body, { status: 422, detail: /Bad/ });
  t.match(await preview({ operation: 'add', monitors: bad, limit: 1 }), { rows: [{ name: 'Bad', result: 'refused' }] });
  t.equal((await stored()).length, 0);
  const added = await apply({ operation: 'add', monitors: lines, fingerprint: shown.fingerprint });
  t.match(added, { state: 'applied', total: 120, done: 120 });
  const [created] = await stored();
  t.match(await audits(created?._id ?? ''), [{ action: 'monitor.created', metadata: { bulk_id: added.id } }]);
  t.equal((await stored()).length, 120);
  await waitFor('all are checked at once', 60_000, () => app.runs.length === 120);
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
