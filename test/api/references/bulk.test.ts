import t from 'tap';
import { startWorkspace } from '../../helpers/references/workspace.js';

const { api, mongo, channel, monitor, bulk, undo, entries } = await startWorkspace(t);

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
