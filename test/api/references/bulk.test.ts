import t from 'tap';
import { deadReferences } from '../../helpers/references/dead.js';
import { startWorkspace } from '../../helpers/references/workspace.js';
import { waitFor } from '../../helpers/wait.js';

const { api, mongo, channel, monitor, bulk, undo, entries, created } = await startWorkspace(t);

const channelsOf = async (id: string) => (await api('GET', `/v1/monitors/${id}`)).body.data.channels;

t.test('the undo of a bulk change does not bring a deleted channel back', async (t) => {
  const [old, other] = [await channel('Old'), await channel('Other')];
  const one = await monitor('One', [old.id]);
  const change = await bulk({ operation: 'set', ids: [one.id], set: { channels: [other.id] } });
  t.equal((await api('DELETE', `/v1/channels/${old.id}`)).status, 204);
  t.match(await undo(change.id), { state: 'undone', kept: 1 });
  t.same(await channelsOf(one.id), [other.id], 'it keeps the channels that exist');
  const { body } = await api('GET', `/v1/monitors/bulk/${change.id}`);
  t.match(JSON.stringify(body), /was deleted in the meantime/);
});

t.test('a deleted monitor comes back without the channels and locations that are gone', async (t) => {
  await api('POST', '/v1/admin/locations', { code: 'ber', city: 'Berlin', region: 'EU-Central' });
  const [old, other] = [await channel('Old'), await channel('Other')];
  const settings = { type: 'tcp', url: '127.0.0.1:9', channels: [old.id, other.id] };
  const { body } = await api('POST', '/v1/monitors', { ...settings, name: 'Two', locations: ['fra', 'ber'] });
  const { id } = body.data;
  const change = await bulk({ operation: 'delete', ids: [id] });
  t.equal((await api('DELETE', `/v1/channels/${old.id}`)).status, 204);
  t.equal((await api('DELETE', '/v1/admin/locations/ber')).status, 204);
  t.match(await undo(change.id), { state: 'undone', kept: 0 });
  t.match(await api('GET', `/v1/monitors/${id}`), { body: { data: { channels: [other.id], locations: ['fra'] } } });
  t.match(await api('GET', `/v1/monitors/bulk/${change.id}`), {
    body: { data: { without_channels: 1, exceptions: [{ id, errors: [{ code: 'channels_gone' }] }] } },
  });
});

t.test('the undo of a deletion says which monitors notify nobody, because their channels are gone', async (t) => {
  const [old, older] = [await channel('Old'), await channel('Older')];
  const mute = await monitor('Mute', [old.id, older.id]);
  const others = [await monitor('None', []), await monitor('Every', null)];
  const change = await bulk({ operation: 'delete', ids: [mute, ...others].map(({ id }) => id) });
  for (const { id } of [old, older]) t.equal((await api('DELETE', `/v1/channels/${id}`)).status, 204);
  t.match(await undo(change.id), { state: 'undone', kept: 0 });
  t.same(await channelsOf(mute.id), []);
  const job = async () => (await api('GET', `/v1/monitors/bulk/${change.id}`)).body.data;
  const named = (await job()).exceptions;
  t.equal((await job()).without_channels, 1);
  t.match(named, [
    {
      id: mute.id,
      name: 'Mute',
      reason: /notifies nobody.*channels were deleted/,
      errors: [{ code: 'notifies_nobody' }],
    },
  ]);
  t.equal(named.length, 1, 'the others have what they had');
  const created = (await entries('monitor.created')).slice(0, 3);
  const removed = new Map(created.map(({ resource, metadata }) => [resource.id, metadata['removed_channels']]));
  t.same(removed.get(mute.id), [old.id, older.id]);
  for (const { id } of others) t.equal(removed.get(id), undefined);
});

t.test('a location that a larger plan would check from again is not deleted', async (t) => {
  await api('POST', '/v1/admin/locations', { code: 'rom', city: 'Rome', region: 'EU-South' });
  const one = await monitor('Wanted', null);
  const wanted = { interval_seconds: 60, locations: ['fra', 'rom'], confirmations: null };
  await mongo.db.collection<{ _id: string }>('monitors').updateOne({ _id: one.id }, { $set: { wanted } });
  t.match(await api('DELETE', '/v1/admin/locations/rom'), { status: 409, body: { code: 'conflict' } });
});

/** A maintenance window, a status page and a report schedule that name these monitors. */
async function naming(monitors: readonly { id: string }[]) {
  const [starts_at, ends_at] = [0, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
  const window = await created('/v1/maintenance-windows', {
    ...{ name: 'Upgrade', starts_at, ends_at },
    monitor_ids: monitors.map(({ id }) => id),
  });
  const components = monitors.map(({ id }) => ({ name: id.slice(-8), monitor_id: id }));
  const page = await created('/v1/status-pages', {
    slug: `p-${window.id.slice(-8)}`,
    title: 'Page',
    groups: [{ components }],
  });
  const schedule = await created('/api/v1/client-reports/schedules', {
    ...{ name: 'Monthly', cron: '0 8 1 * *', period: 'previous_month', recipients: ['client@example.com'] },
    ...{ title: 'Report', client_name: 'Example Ltd', monitors: { ids: monitors.map(({ id }) => id) } },
  });
  return {
    window,
    page,
    schedule,
    async named() {
      const windowNow = (await api('GET', `/v1/maintenance-windows/${window.id}`)).body.data;
      const pageNow = (await api('GET', `/v1/status-pages/${page.id}`)).body.data;
      const components: { monitor_id: string }[] = pageNow.groups.flatMap(
        (group: { components: [] }) => group.components,
      );
      const reports = (await api('GET', `/api/v1/client-reports/schedules/${schedule.id}`)).body.data.monitors.ids;
      return { window: windowNow.monitor_ids, page: components.map(({ monitor_id }) => monitor_id), reports };
    },
  };
}

t.test(
  'monitors that windows, status pages and report schedules name are deleted in bulk only with detach',
  async (t) => {
    const [one, two, three] = [await monitor('A', null), await monitor('B', null), await monitor('C', null)];
    const { window, page, schedule, named } = await naming([one, two]);
    const ids = [one.id, three.id];
    t.match(await api('POST', '/v1/monitors/bulk', { operation: 'delete', ids }), {
      status: 409,
      body: { code: 'conflict', used_by: { total: 3 } },
    });
    const { body: inUse } = await api('POST', '/v1/monitors/bulk', { operation: 'delete', ids });
    const users = inUse.used_by.items.map(({ id }: { id: string }) => id);
    t.same(users.sort(), [window.id, page.id, schedule.id].sort());
    t.equal((await api('GET', `/v1/monitors/${three.id}`)).status, 200, 'nothing was deleted');
    await bulk({ operation: 'delete', ids, detach: true });
    for (const id of ids) t.equal((await api('GET', `/v1/monitors/${id}`)).status, 404);
    t.same(await named(), { window: [two.id], page: [two.id], reports: [two.id] });
    t.same(await deadReferences(mongo.db), []);
    const [, deleted] = await entries('monitor.deleted');
    t.match(deleted, { resource: { id: one.id }, metadata: { detached: 3 } });
    t.match(await api('POST', '/v1/monitors/bulk', { operation: 'pause', ids, detach: true }), {
      ...{ status: 422, body: { errors: [{ path: '/detach' }] } },
    });
  },
);

t.test('whoever may not change status pages does not take monitors off them', async (t) => {
  const [one, free] = [await monitor('D', null), await monitor('E', null)];
  const { named } = await naming([one]);
  const { body } = await api('POST', '/v1/api-keys', { name: 'monitors', scopes: ['monitors:write'] });
  const send = (request: unknown) =>
    api('POST', '/v1/monitors/bulk', request, { authorization: `Bearer ${body.data.key}` });
  t.equal((await send({ operation: 'delete', ids: [one.id], detach: true })).status, 403);
  const { body: refused } = await send({ operation: 'delete', ids: [one.id] });
  t.same(refused.used_by, { total: 3, items: [] }, 'nor reads which ones');
  t.same(await named(), { window: [one.id], page: [one.id], reports: [one.id] });
  const deleting = await send({ operation: 'delete', ids: [free.id], detach: true });
  t.equal(deleting.status, 202, 'nothing names this one');
  await waitFor('the deletion', 60_000, async () => {
    const job = await api('GET', `/v1/monitors/bulk/${deleting.body.data.id}`);
    return job.body.data.state === 'applied';
  });
});

t.test('the undo of an addition keeps a monitor that something names by now', async (t) => {
  const settings = { type: 'tcp', url: '127.0.0.1:9', locations: ['fra'] };
  const change = await bulk({ operation: 'add', monitors: ['F', 'G'].map((name) => ({ ...settings, name })) });
  const { body } = await api('GET', '/v1/monitors?q=F');
  const { named } = await naming([body.data[0]]);
  t.match(await undo(change.id), { state: 'undone', kept: 1 });
  t.same(await named(), { window: [body.data[0].id], page: [body.data[0].id], reports: [body.data[0].id] });
  t.match((await api('GET', `/v1/monitors/bulk/${change.id}`)).body.data.exceptions, [
    { id: body.data[0].id, errors: [{ code: 'in_use' }] },
  ]);
  t.same(await deadReferences(mongo.db), []);
});
