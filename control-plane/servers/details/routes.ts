import { Type } from 'typebox';
import type { Actor } from '../../actor.js';
import { AppError, notFound } from '../../errors.js';
import { byKey, type Page, type Pager } from '../../http/paging.js';
import { type Route, readRoute } from '../../http/route.js';
import type { AgentRequests } from '../../nodes/nodes.js';
import type { ServerDocument } from '../documents.js';
import type { LatestValues } from '../samples/latest.js';
import { ServerId } from '../schema.js';
import type { ServerStore } from '../store.js';
import type { ReadForecasts } from './forecasts.js';
import { DeviceQuery, Processes, ServerDisk, ServerInterface } from './schema.js';
import { disksView, interfacesView, processesView } from './view.js';

const TAG = 'Servers';
const mountOf = (disk: ServerDisk) => disk.mount;
const BY_MOUNT = byKey(mountOf);
const nameOf = (one: ServerInterface) => one.name;
const BY_NAME = byKey(nameOf);

interface DetailNeeds {
  operations: { store: Pick<ServerStore, 'find'> };
  pager: Pager;
  latest(server: ServerDocument): LatestValues;
  readForecasts: ReadForecasts;
  requests: AgentRequests;
}

/** Returns the routes for the processes, file systems and network interfaces of a server. */
export function detailRoutes({ operations, pager, latest, readForecasts, requests }: DetailNeeds): Route[] {
  const { store } = operations;
  const base = { method: 'GET', access: 'servers:read', tag: TAG, params: ServerId } as const;
  return [
    readRoute({
      ...base,
      path: '/v1/servers/{id}/processes',
      summary: 'Get the ten processes that use the most CPU, and the most memory, now',
      description: 'Queries the agent, which takes about a second. 409 if the server is not online.',
      replies: { 200: Processes },
      errors: ['conflict'],
      async handle({ actor, params }) {
        const server = await serverOf(store, actor, params.id);
        const sample = await requests.processes(server._id);
        if (sample === null)
          throw new AppError('conflict', 'The agent of the server is not connected or does not respond.');
        return { status: 200, data: processesView(server._id, sample) };
      },
    }),
    readRoute({
      ...base,
      path: '/v1/servers/{id}/disks',
      summary: 'List a server’s file systems, by mount point',
      query: DeviceQuery,
      replies: { 200: Type.Array(ServerDisk) },
      list: true,
      async handle(input) {
        const page = pager.open(`disks/${input.params.id}`, BY_MOUNT, input);
        const server = await serverOf(store, input.actor, input.params.id);
        return pageOf(page, disksView(server, latest(server), await readForecasts(server)), mountOf);
      },
    }),
    readRoute({
      ...base,
      path: '/v1/servers/{id}/network',
      summary: 'List a server’s network interfaces, by name',
      query: DeviceQuery,
      replies: { 200: Type.Array(ServerInterface) },
      list: true,
      async handle(input) {
        const page = pager.open(`network/${input.params.id}`, BY_NAME, input);
        const server = await serverOf(store, input.actor, input.params.id);
        return pageOf(page, interfacesView(server, latest(server)), nameOf);
      },
    }),
  ];
}

/** Returns one page of a list that is short enough to be read whole. */
function pageOf<Row>(page: Page<Row, string>, rows: readonly Row[], keyOf: (row: Row) => string) {
  const { after, rowsMax } = page.request;
  const rest = rows
    .filter((row) => after === null || keyOf(row) > after)
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .slice(0, rowsMax);
  return page.reply(rest, (shown) => shown);
}

async function serverOf(store: Pick<ServerStore, 'find'>, actor: Actor, id: string): Promise<ServerDocument> {
  const server = await store.find(actor.workspaceId, id);
  if (server === null) throw notFound('server');
  return server;
}
