import t from 'tap';
import { createIds } from '../../../control-plane/storage/ids.js';
import { systemClock } from '../../../kernel/clock.js';
import { systemRandom } from '../../../kernel/random.js';
import { buildServer } from '../../helpers/factories.js';
import { buildIncident } from '../../helpers/notifications/build.js';
import { startWorkspace } from '../../helpers/references/workspace.js';

const PATH = '/api/v1/dependencies';
const MAX_OF_PLAN = { Free: 50, Pro: 500, Enterprise: 2_000 };
const { api, mongo, workspaceId, created, monitor, entries } = await startWorkspace(t);
const ids = createIds(systemClock, systemRandom);

const depend = (dependent: object, on: { id: string }) =>
  api('POST', PATH, { dependent, depends_on: { monitor_id: on.id } });
const tagged = (name: string, tags: string[]) =>
  created('/v1/monitors', { name, type: 'tcp', url: '127.0.0.1:9', locations: ['fra'], tags });

t.test('a dependency is created, read, listed and deleted, with audit entries', async (t) => {
  const [router, web] = [await monitor('Router', null), await tagged('Web', ['rack'])];
  const server = await buildServer(mongo, { workspace_id: workspaceId, name: 'web-1' });
  const made = await depend({ monitor_id: web.id }, router);
  t.match(made, { status: 201 });
  const { id } = made.body.data;
  t.match(id, /^dep_/);
  const shown = {
    ...{ id, dependent: { monitor_id: web.id, server_id: null, tag: null, name: 'Web' } },
    depends_on: { monitor_id: router.id, name: 'Router' },
  };
  t.match(made.body.data, shown);
  t.match((await api('GET', `${PATH}/${id}`)).body.data, shown);
  const byTag = (await depend({ tag: 'rack' }, router)).body.data;
  const ofServer = (await depend({ server_id: server._id }, router)).body.data;
  const listed = async (query = '') =>
    (await api('GET', `${PATH}${query}`)).body.data.map((one: { id: string }) => one.id);
  t.same(await listed(), [ofServer.id, byTag.id, id]);
  t.same(await listed(`?monitor_id=${web.id}`), [byTag.id, id], 'its own and those of its tags');
  t.same(await listed(`?monitor_id=${router.id}`), [ofServer.id, byTag.id, id], 'those on it');
  t.same(await listed(`?server_id=${server._id}`), [ofServer.id]);

  t.match(await depend({ monitor_id: web.id }, router), { status: 409, body: { code: 'conflict' } }, 'twice');
  t.equal((await api('DELETE', `${PATH}/${id}`)).status, 204);
  t.equal((await api('DELETE', `${PATH}/${id}`)).status, 404);
  t.equal((await api('GET', `${PATH}/${id}`)).status, 404);
  t.match((await entries('dependency.created')).map(({ resource, metadata }) => ({ resource, metadata })).at(-1), {
    resource: { type: 'dependency', id, name: 'Web depends on Router' },
    metadata: { monitor_id: web.id, on_monitor_id: router.id },
  });
  t.match(await entries('dependency.deleted'), [{ resource: { id } }]);
});

t.test('what does not exist in the workspace, and what is no dependent, is refused with its field', async (t) => {
  const [one, two] = [await monitor('One', null), await monitor('Two', null)];
  const foreign = await buildServer(mongo, { workspace_id: 'ws_other', name: 'theirs' });
  const theirs = ids.next('mon');
  const known = await mongo.db.collection<{ _id: string }>('monitors').findOne({ _id: one.id });
  await mongo.db
    .collection<{ _id: string }>('monitors')
    .insertOne({ ...known, _id: theirs, workspace_id: 'ws_other' } as never);
  for (const [dependent, on, path] of [
    [{ monitor_id: theirs }, one, '/dependent/monitor_id'],
    [{ server_id: foreign._id }, one, '/dependent/server_id'],
    [{ monitor_id: one.id }, { id: theirs }, '/depends_on/monitor_id'],
    [{ tag: 'x' }, { id: ids.next('mon') }, '/depends_on/monitor_id'],
    [{}, one, '/dependent'],
    [{ monitor_id: two.id, tag: 'x' }, one, '/dependent'],
    [{ monitor_id: one.id }, one, '/depends_on/monitor_id'],
  ] as const) {
    const answer = await depend(dependent, on);
    t.equal(answer.status, 422, JSON.stringify(dependent));
    t.equal(answer.body.errors?.[0]?.path, path, JSON.stringify(dependent));
  }
  const other = ids.next('dep');
  await mongo.db.collection<{ _id: string }>('dependencies').insertOne({
    ...{ _id: other, workspace_id: 'ws_other', monitor_id: null, server_id: null, tag: 'x', on_monitor_id: theirs },
    ...{ created_by: 'x', created_at_ms: 0 },
  } as never);
  t.equal((await api('GET', `${PATH}/${other}`)).status, 404);
  t.equal((await api('DELETE', `${PATH}/${other}`)).status, 404);
});

t.test('a circle is refused, through others and tags, and when two requests would close it together', async (t) => {
  const [a, b, c] = [await monitor('A', null), await tagged('B', ['circle']), await monitor('C', null)];
  t.equal((await depend({ monitor_id: b.id }, a)).status, 201);
  t.equal((await depend({ monitor_id: c.id }, b)).status, 201);
  for (const dependent of [{ monitor_id: a.id }, { monitor_id: b.id }, { tag: 'circle' }])
    t.match(await depend(dependent, c), { status: 422, body: { errors: [{ path: '/depends_on/monitor_id' }] } });
  for (let round = 0; round < 5; round++) {
    const [x, y] = [await monitor(`X${round}`, null), await monitor(`Y${round}`, null)];
    const answers = await Promise.all([depend({ monitor_id: x.id }, y), depend({ monitor_id: y.id }, x)]);
    t.same(answers.map(({ status }) => status).sort(), [201, 422], 'one of two');
    for (const { id } of [x, y]) await api('DELETE', `/v1/monitors/${id}?detach=true`);
  }
});

t.test(
  'a monitor or server that a dependency names is deleted only with detach, which deletes the dependency',
  async (t) => {
    const [parent, child] = [await monitor('Parent', null), await monitor('Child', null)];
    const server = await buildServer(mongo, { workspace_id: workspaceId, name: 'web-2' });
    for (const [path, dependent] of [
      [`/v1/servers/${server._id}`, { server_id: server._id }],
      [`/v1/monitors/${child.id}`, { monitor_id: child.id }],
      [`/v1/monitors/${parent.id}`, { tag: 'detached' }],
    ] as const) {
      const { id } = (await depend(dependent, parent)).body.data;
      t.match(await api('DELETE', path), {
        ...{ status: 409, body: { used_by: { total: 1, items: [{ type: 'dependency', id }] } } },
      });
      t.match(await api('DELETE', `${path}?detach=true`), {
        ...{ status: 200, body: { data: { detached: { total: 1 }, notify_nobody: { total: 0 } } } },
      });
      t.equal((await api('GET', `${PATH}/${id}`)).status, 404, path);
      t.match((await entries('dependency.deleted'))[0], { resource: { id } });
    }
  },
);

t.test('the limit of the plan holds, however many requests there are at once', async (t) => {
  const parent = await monitor('Limit', null);
  const workspaces = mongo.db.collection<{ _id: string; plan: keyof typeof MAX_OF_PLAN }>('workspaces');
  const plan = (await workspaces.findOne({ _id: workspaceId }))?.plan ?? 'Free';
  const dependencies = mongo.db.collection<{ _id: string }>('dependencies');
  const room = 3;
  const has = await dependencies.countDocuments({ workspace_id: workspaceId });
  await dependencies.insertMany(
    Array.from({ length: MAX_OF_PLAN[plan] - room - has }, (_, index) => ({
      ...{ _id: ids.next('dep'), workspace_id: workspaceId, monitor_id: null, server_id: null, tag: `fill-${index}` },
      ...{ on_monitor_id: parent.id, created_by: 'x', created_at_ms: 0 },
    })),
  );
  const create = async (index: number): Promise<number> => {
    const { status } = await depend({ tag: `at-once-${index}` }, parent);
    return status === 503 ? create(index) : status;
  };
  const statuses = await Promise.all(Array.from({ length: 8 }, (_, index) => create(index)));
  t.ok(
    statuses.every((status) => status === 201 || status === 409),
    statuses.join(),
  );
  t.equal(await dependencies.countDocuments({ workspace_id: workspaceId }), MAX_OF_PLAN[plan]);
});

t.test('dependencies are suggested from past outages, until they exist', async (t) => {
  const { id: ping } = await created('/v1/monitors', {
    name: 'Ping',
    type: 'ping',
    url: '127.0.0.9',
    locations: ['fra'],
  });
  const { id: port } = await created('/v1/monitors', {
    name: 'Port',
    type: 'tcp',
    url: '127.0.0.9:9',
    locations: ['fra'],
  });
  const incidents = mongo.db.collection<{ _id: string }>('incidents');
  const hourMs = 3_600_000;
  for (const monitor_id of [ping, port]) {
    for (const hours of [10, 20]) {
      const started_at_ms = systemClock.now() - hours * hourMs;
      const { open: _open, ...resolved } = buildIncident(workspaceId, { monitor_id, started_at_ms });
      await incidents.insertOne({
        ...resolved,
        ...{ subject: `monitor:${monitor_id}`, status: 'resolved', resolved_at_ms: started_at_ms + hourMs },
      } as never);
    }
  }
  const suggested = async () => (await api('GET', `${PATH}/suggestions`)).body.data;
  t.same(await suggested(), [
    {
      dependent: { monitor_id: port, name: 'Port' },
      depends_on: { monitor_id: ping, name: 'Ping' },
      ...{ host: '127.0.0.9', outages: 2 },
    },
  ]);
  await mongo.db.collection('dependencies').deleteMany({ tag: { $regex: '^fill-' } });
  t.equal((await depend({ monitor_id: port }, { id: ping })).status, 201);
  t.same(await suggested(), []);
});
