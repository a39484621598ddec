import t from 'tap';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import { buildIncident } from '../../helpers/notifications/build.js';
import { startWorkspace } from '../../helpers/references/workspace.js';

const { api, mongo, workspaceId, created, channel, monitor, rule, entries } = await startWorkspace(t);

const named = (things: readonly { type: string; id: string; name: string }[]) => things.map(({ name }) => name).sort();

t.test('a channel that is named is not deleted, and the answer says by what', async (t) => {
  const [used, other] = [await channel('Used'), await channel('Other')];
  const alone = await monitor('Alone', [used.id]);
  const both = await monitor('Both', [used.id, other.id]);
  await monitor('Every', null);
  await monitor('None', []);
  const busy = await rule('Busy', { channels: [used.id] });
  const refused = await api('DELETE', `/v1/channels/${used.id}`);
  t.match(refused, { status: 409, body: { code: 'conflict', detail: /detach=true/, used_by: { total: 3 } } });
  t.same(refused.body.used_by.items, [
    { type: 'monitor', id: alone.id, name: 'Alone' },
    { type: 'monitor', id: both.id, name: 'Both' },
    { type: 'alert_rule', id: busy.id, name: 'Busy' },
  ]);
  t.equal((await api('GET', `/v1/channels/${used.id}`)).status, 200);
  t.match(await api('GET', `/v1/monitors/${alone.id}`), { body: { data: { channels: [used.id] } } });

  const unused = await channel('Unused');
  t.match(await api('DELETE', `/v1/channels/${unused.id}`), { status: 204, body: '' });
  const withFlag = await channel('Unused');
  t.match(await api('DELETE', `/v1/channels/${withFlag.id}?detach=true`), { status: 204, body: '' });
});

t.test('with detach it leaves no reference, and the answer and the audit log say what notifies nobody', async (t) => {
  const [used, other, off] = [await channel('Used'), await channel('Other'), await channel('Off')];
  await api('PATCH', `/v1/channels/${off.id}`, { enabled: false });
  const alone = await monitor('Alone', [used.id]);
  const both = await monitor('Both', [other.id, used.id]);
  const withOff = await monitor('With one that is off', [used.id, off.id]);
  const every = await monitor('Every', null);
  const silent = await rule('Silent', { channels: [used.id] });
  const read = async (id: string) => api('GET', `/v1/monitors/${id}`);
  const before = { both: await read(both.id), every: await read(every.id) };

  const deleted = await api('DELETE', `/v1/channels/${used.id}?detach=true`);
  t.equal(deleted.status, 200, deleted.body.detail);
  t.equal(deleted.body.data.detached.total, 4);
  t.same(named(deleted.body.data.detached.items), ['Alone', 'Both', 'Silent', 'With one that is off']);
  t.equal(deleted.body.data.notify_nobody.total, 3);
  t.same(named(deleted.body.data.notify_nobody.items), ['Alone', 'Silent', 'With one that is off']);

  t.same((await read(alone.id)).body.data.channels, [], 'it names none, and not every one');
  t.same((await read(withOff.id)).body.data.channels, [off.id]);
  const after = await read(both.id);
  t.same(after.body.data.channels, [other.id]);
  t.not(after.headers.get('etag'), before.both.headers.get('etag'), 'who has read it before cannot overwrite it');
  t.equal((await read(every.id)).headers.get('etag'), before.every.headers.get('etag'), 'this one is unchanged');
  t.match(await api('GET', `/v1/alert-rules/${silent.id}`), { body: { data: { channels: [] } } });
  t.equal((await api('PATCH', `/v1/monitors/${both.id}`, { channels: after.body.data.channels })).status, 200);

  const [entry] = await entries('channel.deleted');
  t.match(entry, { resource: { id: used.id }, metadata: { detached: 4, notify_nobody: 3 } });
  const names = entry?.metadata['notify_nobody_names'] as { type: string; id: string; name: string }[];
  t.same(named(names), ['Alone', 'Silent', 'With one that is off']);
  const changes = new Map((await entries('monitor.updated')).map(({ resource, metadata }) => [resource.id, metadata]));
  t.match(changes.get(both.id), { changes: { channels: { from: [other.id, used.id], to: [other.id] } } });
  t.match((await entries('alert_rule.updated'))[0], { resource: { id: silent.id } });
});

t.test('a channel that is disabled warns of what then notifies nobody, like a deletion', async (t) => {
  const [used, other, off] = [await channel('Used'), await channel('Other'), await channel('Off')];
  const disable = (id: string) => api('PATCH', `/v1/channels/${id}`, { enabled: false });
  t.same((await disable(off.id)).body.warnings, undefined, 'nothing names it');
  await monitor('Alone', [used.id]);
  await monitor('Both', [used.id, other.id]);
  await monitor('With one that is off', [used.id, off.id]);
  await monitor('Every', null);
  await rule('Silent', { channels: [used.id] });
  const incident = buildIncident(workspaceId, {
    ...{ _id: 'inc_disabled', channels: [used.id], resource: { type: 'server', id: 'srv_a', name: 'db-1' } },
  });
  await mongo.db.collection<{ _id: string }>('incidents').insertOne({ ...incident });
  t.equal((await api('PATCH', `/v1/channels/${used.id}`, { name: 'Pager' })).body.warnings, undefined);

  const warning =
    'Without this channel, 4 things will notify nobody: monitor “Alone”, monitor “With one that is off”, alert rule “Silent”, incident “db-1”.';
  const named = (sentences: string[]) => sentences.map((sentence) => sentence.split(/: |, |\.$/).sort());
  const disabled = await disable(used.id);
  t.match(disabled, { status: 200, body: { data: { enabled: false } } });
  t.same(named(disabled.body.warnings), named([warning]));
  const [entry] = await entries('channel.updated');
  t.match(entry, { resource: { id: used.id }, severity: 'critical', metadata: { notify_nobody: 4 } });
  t.match(entry?.metadata['notify_nobody_names'], { length: 4 });
  t.same((await disable(used.id)).body.warnings, disabled.body.warnings, 'a repeat says the same');

  const { body: scoped } = await api('POST', '/v1/api-keys', { name: 'k', scopes: ['channels:write', 'alerts:read'] });
  const key = { authorization: `Bearer ${scoped.data.key}` };
  const seen = await api('PATCH', `/v1/channels/${used.id}`, { enabled: false }, key);
  t.notMatch(seen.body.warnings[0], /monitor/, 'no name that the caller may not read');
  t.match(seen.body.warnings[0], /4 things .*“Silent”.*2 more\.$/);

  for (const { id } of (await api('GET', '/v1/channels?limit=200')).body.data) if (id !== other.id) await disable(id);
  const last = await disable(other.id);
  t.match(last.body.warnings, [
    'No channel of this workspace is on, so nobody is notified of any incident.',
    'Without this channel, 1 thing will notify nobody: monitor “Both”.',
  ]);
  t.match((await entries('channel.updated'))[0], { metadata: { notify_nobody: 1, no_channel_on: true } });
  t.equal((await api('PATCH', `/v1/channels/${other.id}`, { enabled: true })).body.warnings, undefined);
});

t.test('an export can be imported unchanged after it', async (t) => {
  const [used, other] = [await channel(), await channel()];
  await monitor('Exported', [used.id, other.id]);
  await api('DELETE', `/v1/channels/${used.id}?detach=true`);
  const file = (await api('GET', '/v1/monitors/export?format=json')).body;
  const imported = await api('POST', '/v1/monitors/import', file);
  t.match(imported, { status: 200, body: { data: { summary: { updated: 0, created: 0 } } } }, imported.body.detail);
});

t.test('unresolved incidents no longer name it either', async (t) => {
  const [used, other] = [await channel('Pager'), await channel()];
  const incidents = mongo.db.collection<IncidentDocument>('incidents');
  const open = buildIncident(workspaceId, { channels: [used.id, other.id] });
  const { open: _open, ...ended } = buildIncident(workspaceId, { channels: [used.id], status: 'resolved' });
  await incidents.insertMany([open, ended]);
  t.match(await api('DELETE', `/v1/channels/${used.id}`), {
    ...{ status: 409 },
    body: { used_by: { total: 1, items: [{ type: 'incident', id: open._id, name: 'Shop' }] } },
  });
  t.match(await api('DELETE', `/v1/channels/${used.id}?detach=true`), {
    ...{ status: 200, body: { data: { detached: { total: 1 }, notify_nobody: { total: 0, items: [] } } } },
  });
  t.match(await incidents.findOne({ _id: open._id }), { channels: [other.id] });
  t.match(await incidents.findOne({ _id: ended._id }), { channels: [used.id] }, 'a resolved one is a record');
  const shown = await api('GET', `/v1/alerts/${open._id}`);
  t.match(shown.body.data.events.at(-1), { type: 'channel_removed', message: /“Pager” was deleted/ });
});

t.test('a key sees and changes only what its scopes allow', async (t) => {
  const used = await channel();
  const only = await monitor('Hidden', [used.id]);
  const keyWith = async (...scopes: string[]) => {
    const { key } = (await created('/v1/api-keys', { name: 'Key', scopes })) as unknown as { key: string };
    return { authorization: `Bearer ${key}` };
  };
  const path = `/v1/channels/${used.id}`;
  const blind = await keyWith('channels:write');
  t.match(await api('DELETE', path, undefined, blind), { status: 409, body: { used_by: { total: 1, items: [] } } });
  t.match(await api('DELETE', `${path}?detach=true`, undefined, blind), {
    ...{ status: 403, body: { code: 'insufficient_scope', required_scope: 'monitors:write' } },
  });
  t.match(await api('GET', `/v1/monitors/${only.id}`), { body: { data: { channels: [used.id] } } });
  const writing = await keyWith('channels:write', 'monitors:write');
  const deleted = await api('DELETE', `${path}?detach=true`, undefined, writing);
  t.match(deleted, { status: 200, body: { data: { detached: { total: 1, items: [] } } } });
});

t.test('a hundred monitors are changed at once', async (t) => {
  const used = await channel();
  const monitors = Array.from({ length: 100 }, (_, n) => {
    return { name: `Many ${n}`, type: 'tcp', url: '127.0.0.1:9', locations: ['fra'], channels: [used.id] };
  });
  const imported = await api('POST', '/v1/monitors/import', { version: 1, monitors });
  t.equal(imported.status, 200, imported.body.detail);
  const more = await monitor('One more', [used.id]);
  await mongo.db
    .collection<IncidentDocument>('incidents')
    .insertOne(buildIncident(workspaceId, { subject: 'of the outage', channels: [used.id] }));
  const path = `/v1/channels/${used.id}?detach=true`;
  const refused = await api('DELETE', path);
  t.match(refused, { status: 409, body: { detail: /101 things name it\. At most 100 are changed at once/ } });
  t.equal(refused.body.used_by.total, 101, 'what does not count is not named');
  t.equal(refused.body.used_by.items.length, 100);
  await api('PATCH', `/v1/monitors/${more.id}`, { channels: [] });
  const deleted = await api('DELETE', path);
  t.match(deleted, { status: 200, body: { data: { detached: { total: 101 }, notify_nobody: { total: 101 } } } });
  t.equal(deleted.body.data.detached.items.length, 100);
  t.equal(await mongo.db.collection('monitors').countDocuments({ channels: used.id }), 0);
});

t.test('the incidents of an outage do not keep a channel from its deletion, however many they are', async (t) => {
  const [used, other] = [await channel('Pager'), await channel()];
  const incidents = mongo.db.collection<IncidentDocument>('incidents');
  const opened = Array.from({ length: 600 }, (_, n) =>
    buildIncident(workspaceId, { subject: `outage ${n}`, channels: n === 0 ? [used.id] : [other.id, used.id] }),
  );
  await incidents.insertMany(opened);
  const refused = await api('DELETE', `/v1/channels/${used.id}`);
  t.match(refused, { status: 409, body: { detail: /600 things name it.*detach=true/, used_by: { total: 600 } } });
  t.equal(refused.body.used_by.items.length, 100);

  const deleted = await api('DELETE', `/v1/channels/${used.id}?detach=true`);
  t.match(deleted, { status: 200, body: { data: { detached: { total: 600 }, notify_nobody: { total: 1 } } } });
  t.equal(deleted.body.data.notify_nobody.items[0].id, opened[0]?._id);
  const ids = opened.map(({ _id }) => _id);
  const changed = { _id: { $in: ids }, channels: { $ne: used.id }, 'events.type': 'channel_removed' };
  t.equal(await incidents.countDocuments(changed), 600);
  t.equal(
    await mongo.db
      .collection('timeline')
      .countDocuments({ type: 'incident.channel_removed', 'metadata.incident_id': { $in: ids } }),
    600,
  );
});

t.test('what names a channel is found without reading the workspace', async (t) => {
  const used = await channel();
  for (const [name, only] of [
    ['monitors', {}],
    ['incidents', { open: true }],
  ] as const) {
    const filter = { workspace_id: workspaceId, channels: used.id, ...only };
    const plan = await mongo.db.collection(name).find(filter).sort({ _id: 1 }).explain('executionStats');
    t.match(JSON.stringify(plan['queryPlanner'].winningPlan), /naming_channel/, name);
    t.equal(plan['executionStats'].totalDocsExamined, 0, name);
  }
});
