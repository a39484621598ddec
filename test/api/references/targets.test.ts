import t from 'tap';
import { buildServer } from '../../helpers/factories.js';
import { startWorkspace } from '../../helpers/references/workspace.js';

const { api, mongo, workspaceId, created, monitor, rule, entries } = await startWorkspace(t);

const listed = (name: string, ids: readonly string[]) =>
  created('/v1/alert-rules', { name, type: 'blacklist_listed', blacklist_monitor_ids: ids });

const shownRule = async (id: string) => (await api('GET', `/v1/alert-rules/${id}`)).body.data;

t.test('a server that alert rules name is deleted only with detach', async (t) => {
  const [one, two] = [
    await buildServer(mongo, { workspace_id: workspaceId, name: 'web-1' }),
    await buildServer(mongo, { workspace_id: workspaceId, name: 'web-2' }),
  ];
  const only = await rule('Only', { server_ids: [one._id] });
  const both = await rule('Both', { server_ids: [one._id, two._id] });
  const all = await rule('All', {});
  const path = `/v1/servers/${one._id}`;
  t.match(await api('DELETE', path), {
    status: 409,
    body: { code: 'conflict', used_by: { total: 2, items: [{ id: only.id, type: 'alert_rule' }, { id: both.id }] } },
  });
  t.equal((await api('GET', path)).status, 200);
  t.match(await api('DELETE', `${path}?detach=true`), {
    status: 200,
    body: { data: { detached: { total: 2 }, notify_nobody: { total: 1, items: [{ id: only.id, name: 'Only' }] } } },
  });
  const emptied = await shownRule(only.id);
  t.same(emptied.server_ids, [], 'it applies to no server, and not to all');
  t.equal((await api('PATCH', `/v1/alert-rules/${only.id}`, { server_ids: emptied.server_ids })).status, 200);
  t.same((await shownRule(both.id)).server_ids, [two._id]);
  t.equal((await shownRule(all.id)).server_ids, null);
  t.match((await entries('server.deleted'))[0], { metadata: { detached: 2, notify_nobody: 1 } });
  t.match(await api('DELETE', `/v1/servers/${two._id}?detach=yes`), { status: 422 });
});

t.test('so is a blacklist monitor', async (t) => {
  const [one, two] = [
    await created('/api/v1/blacklist/monitors', { target: '192.0.3.1', frequency: 'daily' }),
    await created('/api/v1/blacklist/monitors', { target: '192.0.3.2', frequency: 'daily' }),
  ];
  const only = await listed('Only', [one.id]);
  const path = `/api/v1/blacklist/monitors/${one.id}`;
  t.match(await api('DELETE', path), { status: 409, body: { used_by: { total: 1, items: [{ id: only.id }] } } });
  t.match(await api('DELETE', `${path}?detach=true`), {
    status: 200,
    body: { data: { notify_nobody: { total: 1, items: [{ id: only.id }] } } },
  });
  t.same((await shownRule(only.id)).blacklist_monitor_ids, []);
  t.equal((await api('DELETE', `/api/v1/blacklist/monitors/${two.id}`)).status, 204, 'nothing names this one');
});

t.test('a monitor or server that maintenance windows name is deleted only with detach', async (t) => {
  const server = await buildServer(mongo, { workspace_id: workspaceId, name: 'web-3' });
  const shop = await monitor('Shop', null);
  const [starts_at, ends_at] = [0, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
  const targets = { monitor_ids: [shop.id], server_ids: [server._id] };
  const window = await created('/v1/maintenance-windows', { name: 'Upgrade', starts_at, ends_at, ...targets });
  for (const path of [`/v1/monitors/${shop.id}`, `/v1/servers/${server._id}`]) {
    t.match(await api('DELETE', path), {
      status: 409,
      body: { used_by: { total: 1, items: [{ type: 'maintenance_window', id: window.id, name: 'Upgrade' }] } },
    });
    t.match(await api('DELETE', `${path}?detach=true`), {
      status: 200,
      body: { data: { detached: { total: 1 }, notify_nobody: { total: 0 } } },
    });
  }
  const left = (await api('GET', `/v1/maintenance-windows/${window.id}`)).body.data;
  t.match(left, { monitor_ids: [], server_ids: [], everything: false }, 'it is for nothing, and not for everything');
  t.match((await entries('maintenance.updated'))[0], { resource: { id: window.id } });
});

t.test('so is one that a status page shows, with its component', async (t) => {
  const server = await buildServer(mongo, { workspace_id: workspaceId, name: 'web-4' });
  const shop = await monitor('Shop', null);
  const components = [
    { name: 'Shop', monitor_id: shop.id },
    { name: 'Machine', server_id: server._id },
    { name: 'Rest', tag: 'rest' },
  ];
  const page = await created('/v1/status-pages', { slug: 'targets', title: 'Targets', groups: [{ components }] });
  for (const path of [`/v1/monitors/${shop.id}`, `/v1/servers/${server._id}`]) {
    t.match(await api('DELETE', path), {
      status: 409,
      body: { used_by: { total: 1, items: [{ type: 'status_page', id: page.id, name: 'Targets' }] } },
    });
    t.match(await api('DELETE', `${path}?detach=true`), {
      status: 200,
      body: { data: { detached: { total: 1 }, notify_nobody: { total: 0 } } },
    });
  }
  const left = (await api('GET', `/v1/status-pages/${page.id}`)).body.data;
  t.same(
    left.groups[0].components.map(({ name }: { name: string }) => name),
    ['Rest'],
  );
  t.match((await entries('status_page.updated'))[0], { resource: { id: page.id } });
});
