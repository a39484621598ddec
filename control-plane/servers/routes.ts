import { Type } from 'typebox';
import { toIso } from '../../kernel/clock.js';
import { notFound } from '../errors.js';
import { BY_ID, type Pager } from '../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../http/route.js';
import type { AgentReception, AgentRequests } from '../nodes/nodes.js';
import { DetachedReferences, DetachQuery } from '../references/schema.js';
import { createServerToken } from './create-token.js';
import type { ReadForecasts } from './details/forecasts.js';
import { detailRoutes } from './details/routes.js';
import type { ListedServer, ServerDocument } from './documents.js';
import { joinTokenRoutes } from './join-tokens/routes.js';
import type { ServerNeeds } from './needs.js';
import { removeServer } from './remove.js';
import type { LatestValues } from './samples/latest.js';
import { CreateServerToken, ListServers, Server, ServerId, ServerJoinToken, UpdateServer } from './schema.js';
import { updateServer } from './update.js';
import { serverView } from './view.js';

const TAG = 'Servers';
const HOUR_MS = 3_600_000;

export interface ServerRouteNeeds {
  operations: ServerNeeds;
  pager: Pager;
  /** Returns the values of a server's live sample. */
  latest(server: Pick<ServerDocument, 'live'>): LatestValues;
  readForecasts: ReadForecasts;
  requests: AgentRequests;
  reception: Pick<AgentReception, 'receivedUntilMs'>;
  /** Returns the shell command that installs an agent. */
  installCommand(token: string): Promise<string>;
  /** Host and port to which agents connect; several are separated by commas. */
  agentAddress: string;
}

/** Returns the routes under `/v1/servers`. `others` are those of other parts of the slice, such as metrics. */
export function createServerRoutes(needs: ServerRouteNeeds, others: readonly Route[]): Route[] {
  const { operations, pager, latest, reception } = needs;
  const { store } = operations;
  const view = (server: ListedServer) => serverView(server, latest(server), reception.receivedUntilMs());

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
      const page = pager.open('servers', BY_ID, input);
      const { after, rowsMax } = page.request;
      const { disk_full_within_hours: hours, ...query } = input.query;
      const filter = hours === undefined ? query : { ...query, fullByMs: operations.clock.now() + hours * HOUR_MS };
      const found = await store.list(input.actor.workspaceId, filter, after, rowsMax);
      return page.reply(found, (rows) => rows.map(view));
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
      const server = await store.find(actor.workspaceId, params.id);
      if (server === null) throw notFound('server');
      return { status: 200, data: view(server), version: server.version };
    },
  });

  return [list, get, ...writeRoutes(needs, view), ...joinTokenRoutes(needs), ...detailRoutes(needs), ...others];
}

function writeRoutes(
  { operations, installCommand, agentAddress }: ServerRouteNeeds,
  view: (server: ListedServer) => Server,
): Route[] {
  const base = { access: 'servers:write', tag: TAG } as const;
  return [
    mutationRoute({
      ...base,
      method: 'POST',
      path: '/v1/servers/join-tokens',
      refusedAs: 'integration.change_refused',
      summary: 'Create a join token for a server',
      description:
        'One server can join with the token within 24 hours. Run `install_command` in its shell. Only this response contains the token.',
      body: CreateServerToken,
      bodyOptional: true,
      replies: { 201: ServerJoinToken },
      errors: ['plan_limit'],
      async handle({ actor }, tx) {
        const { id, token, expiresAtMs } = await createServerToken(operations, tx, actor);
        const data: ServerJoinToken = {
          id,
          token,
          install_command: await installCommand(token),
          agent_address: agentAddress,
          expires_at: toIso(expiresAtMs),
        };
        // A token cannot be read again, so the location is that of the list.
        return { status: 201, data, location: '/v1/servers/join-tokens' };
      },
    }),
    mutationRoute({
      ...base,
      method: 'PATCH',
      path: '/v1/servers/{id}',
      summary: 'Update a server’s name or tags',
      params: ServerId,
      body: UpdateServer,
      replies: { 200: Server },
      async handle({ actor, params, body, ifVersion }, tx) {
        const server = await updateServer(operations, tx, actor, { id: params.id, patch: body, ifVersion });
        return { status: 200, data: view(server), version: server.version };
      },
    }),
    mutationRoute({
      ...base,
      method: 'DELETE',
      path: '/v1/servers/{id}',
      summary: 'Delete a server',
      description:
        'Revokes the credential of its agent at once, resolves its incidents and deletes its history. Returns 409 `conflict` with `used_by` while alert rules name the server. With `detach=true`, they no longer name it, which needs the right to change them; a rule that names no other server then applies to none.',
      params: ServerId,
      query: DetachQuery,
      replies: { 200: DetachedReferences, 204: null },
      errors: ['conflict'],
      handle: ({ actor, params, query, ifVersion }, tx) =>
        removeServer(operations, tx, actor, { id: params.id, ifVersion, detach: query.detach === true }),
    }),
  ];
}
