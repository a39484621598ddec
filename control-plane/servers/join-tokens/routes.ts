import { Type } from 'typebox';
import { byKey, PageParameters, type Pager } from '../../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../../http/route.js';
import { JoinTokenId, JoinTokenView } from '../../nodes/join-token.js';
import type { ServerNeeds } from '../needs.js';

const TAG = 'Servers';
const BY_TOKEN_ID = byKey((row: { token_id: string }) => row.token_id);
const PageQuery = Type.Object(PageParameters, { additionalProperties: false });

/** Returns the routes that list and revoke the join tokens of a workspace. */
export function joinTokenRoutes({ operations, pager }: { operations: ServerNeeds; pager: Pager }): Route[] {
  const { audit } = operations;
  const { joinTokens } = operations.credentials;
  return [
    readRoute({
      method: 'GET',
      path: '/v1/servers/join-tokens',
      access: 'servers:read',
      tag: TAG,
      summary: 'List join tokens for servers, newest first',
      description:
        'Used and expired ones stay in the list until a day after their expiry. The token itself is not stored.',
      query: PageQuery,
      replies: { 200: JoinTokenView },
      list: true,
      async handle(input) {
        const page = pager.open('server-join-tokens', BY_TOKEN_ID, input);
        const found = await joinTokens.page(input.actor.workspaceId, page.request);
        return page.reply(found, (rows) => rows.map(joinTokens.view));
      },
    }),
    mutationRoute({
      method: 'DELETE',
      path: '/v1/servers/join-tokens/{id}',
      access: 'servers:write',
      tag: TAG,
      summary: 'Revoke a join token for a server',
      description: 'No server can join with it any more. 409 for a token that a server has used: delete the server.',
      params: JoinTokenId,
      replies: { 204: null },
      errors: ['conflict'],
      async handle({ actor, params }, tx) {
        const { created_by: made_by } = await joinTokens.revoke(tx, actor.workspaceId, params.id);
        await audit.record(tx, actor, {
          action: 'server.join_token_revoked',
          resource: { type: 'workspace', id: actor.workspaceId, name: actor.workspaceName },
          metadata: { join_token: params.id, made_by },
        });
        return { status: 204 };
      },
    }),
  ];
}
