import t from 'tap';
import type { Monitor } from '../../../control-plane/monitors/schema.js';
import { monitorActions, shop } from '../../helpers/monitors/actions.js';
import { startMonitorsApp } from '../../helpers/monitors/app.js';
import { waitFor } from '../../helpers/wait.js';

const app = await startMonitorsApp();
t.teardown(() => app.stop());

const { monitors, create, stored, audits, openIncident, unresolved } = monitorActions(app);

const LIVE = {
  slot_ms: 1,
  attempt: 0,
  final: true,
  checked_at_ms: Date.now(),
  received_at_ms: Date.now(),
  up: false,
  response_time_ms: 5,
  http_status: 500,
  error: null,
};

t.test('a new target resets the votes; other changes keep them', async (t) => {
  const { id } = await create();
  const certificate = {
    grade: 'A' as const,
    not_after_ms: 1,
    fingerprint: 'f',
    issuer: 'i',
    subject: 's',
    checked_at_ms: 1,
  };
  const failing = {
    fra: { from_version: 1, since_ms: 1, confirmed_result_id: null },
    sfo: { from_version: 1, since_ms: 1, confirmed_result_id: null },
  };
  await monitors.updateOne(
    { _id: id },
    {
      $set: {
        live: { fra: LIVE, sfo: LIVE },
        certificate,
        'state.status': 'down',
        'state.failing': failing,
        'state.first_failed_at_ms': 5,
      },
    },
  );
  await app.request('PATCH', `/v1/monitors/${id}`, { body: { locations: ['fra', 'nyc'] } });
  const fewer = await stored(id);
  t.same(Object.keys(fewer.live), ['fra'], 'a removed location no longer votes');
  t.same(Object.keys(fewer.state.failing ?? {}), ['fra']);
  t.match(fewer, {
    version: 2,
    live_from_version: 1,
    state: { revision: 1, attention: true, status: 'down', first_failed_at_ms: 5 },
  });
  await openIncident(id, 'certificate');
  await app.request('PATCH', `/v1/monitors/${id}`, { body: { url: 'https://new.example.com/' } });
  t.match(await stored(id), {
    live: {},
    good: {},
    certificate: null,
    version: 3,
    live_from_version: 3,
    last_checked_at_ms: LIVE.checked_at_ms,
    state: { revision: 2, status: 'down', first_failed_at_ms: null, attention: true },
  });
  t.equal((await stored(id)).state.failing, undefined);
  t.equal(await unresolved(id), null, "the old target's certificate is nobody's trouble any more");
  await monitors.updateOne({ _id: id }, { $set: { live: { fra: LIVE }, certificate } });
  await openIncident(id);
  app.runs.length = 0;
  await app.request('PATCH', `/v1/monitors/${id}`, { body: { http: { expected_status: 500 } } });
  t.match(
    await stored(id),
    { live: {}, certificate: { grade: 'A' }, live_from_version: 4 },
    'the results of the old settings no longer vote',
  );
  t.match(await unresolved(id), { status: 'firing' }, 'an outage stays until votes resolve it');
  t.ok(await waitFor('check', 60_000, () => app.runs.find((run) => run.monitorId === id && run.reason === 'manual')));
});

t.test('pause: stops the checks and resolves the incident with the reason; idempotent', async (t) => {
  const { id } = await create();
  await waitFor('assigned', 60_000, () => app.directory.assignment('fra', id));
  await openIncident(id);
  const paused = await app.request<Monitor>('POST', `/v1/monitors/${id}/pause`);
  t.match(paused.body.data, { status: 'paused', paused_at: /^2/ });
  // Well before the comparison of all versions, which runs once in a minute.
  await waitFor('no assignment', 60_000, () => app.directory.assignment('fra', id) === null, 5);
  const incident = await app.mongo.db.collection('incidents').findOne({ monitor_id: id });
  t.match(incident, {
    status: 'resolved',
    resolution: 'paused',
    message: `Resolved because ${app.workspace.email} paused the monitor.`,
  });
  const again = await app.request<Monitor>('POST', `/v1/monitors/${id}/pause`);
  t.same([again.status, again.body.data], [200, paused.body.data]);
  t.same(
    (await audits(id)).map(({ action }) => action),
    ['monitor.created', 'monitor.paused'],
  );
  const check = await app.request('POST', `/v1/monitors/${id}/check`);
  t.same([check.status, check.body.code], [409, 'conflict']);
});

t.test('resume: restores the status, resets the votes and checks at once; idempotent', async (t) => {
  const { id } = await create();
  await monitors.updateOne({ _id: id }, { $set: { live: { fra: LIVE }, 'state.status': 'down' } });
  await app.request('POST', `/v1/monitors/${id}/pause`);
  app.runs.length = 0;
  const resumed = await app.request<Monitor>('POST', `/v1/monitors/${id}/resume`);
  t.match(resumed.body.data, {
    status: 'down',
    paused_at: null,
    last_checked_at: new Date(LIVE.checked_at_ms).toISOString(),
  });
  t.match(await stored(id), { live: {}, version: 3, live_from_version: 3, state: { attention: true, status: 'down' } });
  const run = await waitFor('check', 60_000, () => app.runs.find(({ monitorId }) => monitorId === id));
  t.equal(run.reason, 'resume');
  t.ok(app.directory.assignment('fra', id), 'the assignment can be sent to the probe with the command');
  const again = await app.request<Monitor>('POST', `/v1/monitors/${id}/resume`);
  t.same([again.status, again.headers.get('etag')], [200, '"3"']);
  t.same(
    (await audits(id)).map(({ action }) => action),
    ['monitor.created', 'monitor.paused', 'monitor.resumed'],
  );
});

t.test('check now: 202, one command, the same reply for a repeated key', async (t) => {
  const { id, locations } = await create({ ...shop, timeout_ms: 1_500 });
  await waitFor('first check', 60_000, () => app.runs.find(({ monitorId }) => monitorId === id));
  app.runs.length = 0;
  const headers = { 'idempotency-key': 'check-1' };
  const answer = await app.request<Record<string, string>>('POST', `/v1/monitors/${id}/check`, { headers });
  t.equal(answer.status, 202);
  const { slot = '', results_by: resultsBy = '' } = answer.body.data;
  t.match(answer.body.data, { monitor_id: id, locations });
  t.equal(Date.parse(resultsBy) - Date.parse(slot), 3_500);
  t.match(app.runs, [{ monitorId: id, reason: 'manual', slotMs: Date.parse(slot), locations }]);
  const repeat = await app.request('POST', `/v1/monitors/${id}/check`, { headers });
  t.same([repeat.body, app.runs.length], [answer.body, 1]);
});

t.test('delete: 204, incident resolved, audit entry, removed everywhere', async (t) => {
  const { id } = await create();
  await openIncident(id);
  const deleted = await app.request('DELETE', `/v1/monitors/${id}`);
  t.same([deleted.status, deleted.text], [204, '']);
  t.equal((await app.request('GET', `/v1/monitors/${id}`)).status, 404);
  t.equal((await app.request('DELETE', `/v1/monitors/${id}`)).status, 404);
  t.match(await app.mongo.db.collection('incidents').findOne({ monitor_id: id }), { resolution: 'deleted' });
  t.equal((await audits(id)).at(-1)?.action, 'monitor.deleted');
  await waitFor('gone', 60_000, () => app.directory.lookup(id) === null, 5);
});

t.test('an evaluation that began before a change is discarded', async (t) => {
  const { id } = await create();
  const before = await stored(id);
  await app.request('PATCH', `/v1/monitors/${id}`, { body: { confirmations: 1 } });
  const late = await monitors.updateOne(
    { _id: id, 'state.revision': before.state.revision },
    { $set: { 'state.status': 'down' } },
  );
  t.equal(late.matchedCount, 0);
});
