import { toIso } from '../../kernel/clock.js';
import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import type { Pager } from '../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../http/route.js';
import type { ApiKeysStore } from './api-keys-store.js';
import type { CreateKey } from './create-api-key.js';
import type { ApiKeyDocument } from './documents.js';
import { API_KEY_VERSION, type RevokeKey } from './revoke-api-key.js';
import { Account, ApiKey, ApiKeyPage, ApiKeyParams, CreateApiKey, CreatedApiKey } from './schema.js';

const whoAmI = readRoute({
  method: 'GET',
  path: '/v1/auth/me',
  access: 'any',
  tag: 'Account',
  summary: 'Who this credential belongs to',
  replies: { 200: Account },
  errors: ['forbidden'],
  handle: async ({ actor }) => ({ status: 200, data: accountOf(actor) }),
});

export function createAccountRoutes(parts: {
  store: ApiKeysStore;
  pager: Pager;
  createKey: CreateKey;
  revokeKey: RevokeKey;
}): Route[] {
  const { store, pager, createKey, revokeKey } = parts;
  return [
    whoAmI,
    readRoute({
      method: 'GET',
      path: '/v1/api-keys',
      access: 'full',
      tag: 'API keys',
      summary: 'List the API keys that are not revoked, newest first',
      query: ApiKeyPage,
      list: true,
      replies: { 200: ApiKey },
      async handle(input) {
        const page = pager.open('api-keys', input);
        const { rows, nextCursor } = page.reply(await store.list(input.actor.workspaceId, page.request), (row) => [
          row._id,
        ]);
        return { status: 200, data: rows.map(apiKeyOf), nextCursor };
      },
    }),
    mutationRoute({
      method: 'POST',
      path: '/v1/api-keys',
      access: 'full',
      tag: 'API keys',
      summary: 'Create an API key',
      description:
        'The answer is the only one that carries the key. A key made by a key that expires must expire no later.',
      body: CreateApiKey,
      errors: ['plan_required'],
      replies: { 201: CreatedApiKey },
      async handle({ actor, body }, tx) {
        const { document, key } = await createKey(tx, actor, body);
        return {
          status: 201,
          data: { ...apiKeyOf(document), key },
          location: `/v1/api-keys/${document._id}`,
          version: API_KEY_VERSION,
        };
      },
    }),
    mutationRoute({
      method: 'DELETE',
      path: '/v1/api-keys/{id}',
      access: 'full',
      tag: 'API keys',
      summary: 'Revoke an API key',
      description: 'Works at once on the control plane that answers, within a second on all.',
      params: ApiKeyParams,
      replies: { 204: null },
      async handle({ actor, params, ifVersion }, tx) {
        await revokeKey(tx, actor, params.id, ifVersion);
        return { status: 204 };
      },
    }),
  ];
}

function accountOf(actor: Actor): Account {
  if (actor.userId === null) throw new AppError('forbidden', 'Only a person or a key has an account.');
  return {
    id: actor.userId,
    email: actor.email,
    plan: actor.plan,
    role: actor.role,
    operator: actor.operator,
    workspace: { id: actor.workspaceId, name: actor.workspaceName },
    api_key:
      actor.key === null
        ? null
        : {
            id: actor.key.id,
            name: actor.key.name,
            scopes: [...actor.scopes],
            last_used_at: isoOrNull(actor.key.lastUsedAt),
            expires_at: isoOrNull(actor.key.expiresAt),
          },
  };
}

function apiKeyOf(document: ApiKeyDocument): ApiKey {
  return {
    id: document._id,
    name: document.name,
    last_four: document.last_four,
    scopes: document.scopes,
    created_at: toIso(document.created_at_ms),
    last_used_at: isoOrNull(document.last_used_at_ms),
    expires_at: isoOrNull(document.expires_at_ms),
  };
}

function isoOrNull(atMs: number | null): string | null {
  return atMs === null ? null : toIso(atMs);
}
