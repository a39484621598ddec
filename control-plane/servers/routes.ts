import { Type } from 'typebox';
import { toIso } from '../../kernel/clock.js';
import type { Actor } from '../actor.js';
import { AppError, notFound } from '../errors.js';
import type { Page, Pager } from '../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../http/route.js';
import type { AgentRequests } from '../nodes/nodes.js';
import { createServerToken, removeServer, type ServerContext, updateServer } from './change.js';
import type { ServerDocument } from './documents.js';
import {
  CreateServerToken,
  DeviceQuery,
  ListServers,
  Processes,
  Server,
  ServerDisk,
  ServerId,
  ServerInterface,
  ServerJoinToken,
  UpdateServer,
} from './schema.js';
import { disksView, interfacesView, type LatestValues, processesView, serverView } from './view.js';

const TAG = 'Servers';

interface Dependencies {
  context: ServerContext;
  pager: Pager;
  /** The values of a server's newest report. */
  latest(server: ServerDocument): LatestValues;
  requests(): AgentRequests | null;
  /** The line that makes a machine a server. */
  installCommand(token: string): string;
}

/** `others` are routes under `/v1/servers` that other parts of the slice give: metrics. */
export function createServerRoutes(dependencies: Dependencies, others: readonly Route[]): Route[] {
  const { context, pager, latest } = dependencies;
  const { store, clock } = context;
  const view = (server: ServerDocument) => serverView(server, latest(server), clock.now());

  const list = readRoute({
    method: 'GET',
    path: '/v1/servers',
    access: 'servers:read',
    tag: TAG,
    summary: 'List servers, newest first',
    query: ListServers,
    replies: { 200: Type.Array(Server) },
    list: true,
    async handle(input) {
      const page = pager.open('servers', input);
      const { after, rowsMax } = page.request;
      const afterId = after === null ? null : String(after[0]);
      const rows = await store.list(input.actor.workspaceId, input.query, afterId, rowsMax);
      const { rows: shown, nextCursor } = page.reply(rows, (row) => [row._id]);
      return { status: 200, data: shown.map(view), nextCursor };
    },
  });

  const get = readRoute({
    method: 'GET',
    path: '/v1/servers/{id}',
    access: 'servers:read',
    tag: TAG,
    summary: 'Get a server',
    params: ServerId,
    replies: { 200: Server },
    async handle({ actor, params }) {
      const server = await serverOf(context, actor, params.id);
      return { status: 200, data: view(server), version: server.version };
    },
  });

  return [list, get, ...changeRoutes(dependencies, view), ...detailRoutes(dependencies), ...others];
}

function changeRoutes({ context, installCommand }: Dependencies, view: (server: ServerDocument) => Server): Route[] {
  const base = { access: 'servers:write', tag: TAG } as const;
  return [
    mutationRoute({
      ...base,
      method: 'POST',
      path: '/v1/servers/join-tokens',
      summary: 'Create a join token for a server',
      description:
        'With it one server may join, within 24 hours. Paste `install_command` into its shell. Shown in this answer and in no other.',
      body: CreateServerToken,
      bodyOptional: true,
      replies: { 201: ServerJoinToken },
      errors: ['plan_limit'],
      async handle({ actor }, tx) {
        const { token, expiresAtMs } = await createServerToken(context, tx, actor);
        const data: ServerJoinToken = { token, install_command: installCommand(token), expires_at: toIso(expiresAtMs) };
        // A token is read nowhere again; what comes of it is seen there.
        return { status: 201, data, location: '/v1/servers' };
      },
    }),
    mutationRoute({
      ...base,
      method: 'PATCH',
      path: '/v1/servers/{id}',
      summary: 'Change a server’s name or tags',
      params: ServerId,
      body: UpdateServer,
      replies: { 200: Server },
      async handle({ actor, params, body, ifVersion }, tx) {
        const server = await updateServer(context, tx, actor, { id: params.id, patch: body, ifVersion });
        return { status: 200, data: view(server), version: server.version };
      },
    }),
    mutationRoute({
      ...base,
      method: 'DELETE',
      path: '/v1/servers/{id}',
      summary: 'Delete a server',
      description: 'Its agent’s credential is void at once, its incidents are resolved, its history is removed.',
      params: ServerId,
      replies: { 204: null },
      async handle({ actor, params, ifVersion }, tx) {
        await removeServer(context, tx, actor, { id: params.id, ifVersion });
        return { status: 204 };
      },
    }),
  ];
}

function detailRoutes({ context, pager, latest, requests }: Dependencies): Route[] {
  const base = { method: 'GET', access: 'servers:read', tag: TAG, params: ServerId } as const;
  return [
    readRoute({
      ...base,
      path: '/v1/servers/{id}/processes',
      summary: 'Get the ten processes that use most CPU, and most memory, now',
      description: 'Asked of the agent at this moment, which takes about a second. 409 while the server is not online.',
      replies: { 200: Processes },
      errors: ['conflict'],
      async handle({ actor, params }) {
        const server = await serverOf(context, actor, params.id);
        const sample = (await requests()?.processes(server._id)) ?? null;
        if (sample === null) throw new AppError('conflict', 'The server’s agent is not connected or does not answer.');
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
        const page = pager.open(`disks/${input.params.id}`, input);
        const server = await serverOf(context, input.actor, input.params.id);
        return pageOf(page, disksView(server, latest(server)), (disk) => disk.mount);
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
        const page = pager.open(`network/${input.params.id}`, input);
        const server = await serverOf(context, input.actor, input.params.id);
        return pageOf(page, interfacesView(server, latest(server)), (one) => one.name);
      },
    }),
  ];
}

/** A page of a list that is short enough to be read whole. */
function pageOf<Row>(page: Page, rows: readonly Row[], keyOf: (row: Row) => string) {
  const { after, rowsMax } = page.request;
  const from = after === null ? null : String(after[0]);
  const rest = rows
    .filter((row) => from === null || keyOf(row) > from)
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    .slice(0, rowsMax);
  const { rows: shown, nextCursor } = page.reply(rest, (row) => [keyOf(row)]);
  return { status: 200 as const, data: shown, nextCursor };
}

async function serverOf({ store }: ServerContext, actor: Actor, id: string): Promise<ServerDocument> {
  const server = await store.find(actor.workspaceId, id);
  if (server === null) throw notFound('server');
  return server;
}
