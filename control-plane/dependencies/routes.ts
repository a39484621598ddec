import type { Actor } from '../actor.js';
import { notFound } from '../errors.js';
import { BY_ID, type Pager } from '../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../http/route.js';
import { createDependency } from './create.js';
import { readNames } from './names.js';
import type { DependencyNeeds } from './needs.js';
import { removeDependency } from './remove.js';
import { CreateDependency, Dependency, DependencyId, ListDependencies } from './schema.js';
import type { ConcernedBy } from './store.js';
import { dependencyView } from './view.js';

const TAG = 'Dependencies';
const PATH = '/v1/dependencies';

export function createDependencyRoutes(needs: DependencyNeeds, pager: Pager): Route[] {
  const { store } = needs;
  const read = { access: 'monitors:read', tag: TAG } as const;
  return [
    readRoute({
      ...read,
      method: 'GET',
      path: PATH,
      summary: 'List dependencies, newest first',
      query: ListDependencies,
      replies: { 200: Dependency },
      list: true,
      async handle({ actor, query }) {
        const page = pager.open('dependencies', BY_ID, { actor, query });
        const { after, rowsMax } = page.request;
        const concernedBy = await concernedByQuery(needs, actor, query);
        const found = await store.list(actor.workspaceId, concernedBy, after, rowsMax);
        const namesOf = await readNames(needs, actor.workspaceId, found);
        return page.reply(found, (rows) => rows.map((row) => dependencyView(row, namesOf(row))));
      },
    }),
    readRoute({
      ...read,
      method: 'GET',
      path: `${PATH}/{id}`,
      summary: 'Get a dependency',
      params: DependencyId,
      replies: { 200: Dependency },
      async handle({ actor, params }) {
        const dependency = await store.find(actor.workspaceId, params.id);
        if (dependency === null) throw notFound('dependency');
        const namesOf = await readNames(needs, actor.workspaceId, [dependency]);
        return { status: 200, data: dependencyView(dependency, namesOf(dependency)) };
      },
    }),
    ...changeRoutes(needs),
  ];
}

function changeRoutes(needs: DependencyNeeds): Route[] {
  const base = { access: 'monitors:write', tag: TAG } as const;
  return [
    mutationRoute({
      ...base,
      method: 'POST',
      confirmedEmail: true,
      path: PATH,
      summary: 'Create a dependency',
      description:
        'While the monitor is down, incidents of outages of what depends on it open as `silenced` and notify nobody; the notification of the monitor says how many there are. What still fails two minutes after the monitor has recovered notifies by itself. A circle is refused with 422.',
      body: CreateDependency,
      replies: { 201: Dependency },
      errors: ['conflict'],
      async handle({ actor, body }, tx) {
        const { dependency, names } = await createDependency(needs, tx, actor, body);
        return { status: 201, data: dependencyView(dependency, names), location: `${PATH}/${dependency._id}` };
      },
    }),
    mutationRoute({
      ...base,
      method: 'DELETE',
      path: `${PATH}/{id}`,
      summary: 'Delete a dependency',
      description: 'What is silent because of it fires if the problem still exists.',
      params: DependencyId,
      replies: { 204: null },
      async handle({ actor, params }, tx) {
        await removeDependency(needs, tx, actor, params.id);
        return { status: 204 };
      },
    }),
  ];
}

/** Returns null for all dependencies. Those of a monitor or server include those of the tags that it has now. */
async function concernedByQuery(
  { monitorNames, serverNames }: DependencyNeeds,
  { workspaceId }: Actor,
  { monitor_id, server_id }: { monitor_id?: string; server_id?: string },
): Promise<ConcernedBy | null> {
  if (monitor_id === undefined && server_id === undefined) return null;
  const monitors = monitor_id === undefined ? [] : await monitorNames(workspaceId, [monitor_id]);
  const servers = server_id === undefined ? [] : await serverNames(workspaceId, [server_id]);
  return {
    monitorIds: monitor_id === undefined ? [] : [monitor_id],
    serverIds: server_id === undefined ? [] : [server_id],
    tags: [...monitors, ...servers].flatMap(({ tags }) => tags),
    onMonitorId: monitor_id ?? null,
  };
}
