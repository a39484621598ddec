import type { Actor, Scope } from '../../actor.js';
import { notFound } from '../../errors.js';
import { BY_ID, type Pager } from '../../http/paging.js';
import { mutationRoute, type Reply, type Route, readRoute } from '../../http/route.js';
import type { UsersStore } from '../users-store.js';
import type { CreateKey, MadeKey } from './create.js';
import type { ApiKeyDocument } from './documents.js';
import { API_KEY_VERSION, type RevokeKey } from './revoke.js';
import type { RotateKey } from './rotate.js';
import { type ApiKey, ApiKeyPage, ApiKeyParams, type ApiKeySchemas, apiKeySchemas } from './schema.js';
import type { ApiKeysStore } from './store.js';
import { apiKeyOf } from './view.js';

interface ApiKeyRoutesNeeds {
  store: ApiKeysStore;
  pager: Pager;
  users: Pick<UsersStore, 'emails'>;
  createKey: CreateKey;
  rotateKey: RotateKey;
  revokeKey: RevokeKey;
  /** The scopes of all slices. */
  scopes: readonly Scope[];
}

export function createApiKeyRoutes(needs: ApiKeyRoutesNeeds): Route[] {
  const { store, pager } = needs;
  const schemas = apiKeySchemas(needs.scopes);
  return [
    readRoute({
      method: 'GET',
      path: '/v1/api-keys',
      access: 'full',
      tag: 'API keys',
      summary: 'List API keys, newest first',
      description: 'Revoked keys are not in the list.',
      query: ApiKeyPage,
      list: true,
      replies: { 200: schemas.ApiKey },
      async handle(input) {
        const page = pager.open('api-keys', BY_ID, input);
        const found = await store.list(input.actor.workspaceId, page.request);
        return page.reply(found, (rows) => viewsOf(needs, rows));
      },
    }),
    readRoute({
      method: 'GET',
      path: '/v1/api-keys/{id}',
      access: 'full',
      tag: 'API keys',
      summary: 'Get an API key',
      description: 'Returns 404 for a revoked key.',
      params: ApiKeyParams,
      replies: { 200: schemas.ApiKey },
      async handle({ actor, params }) {
        const key = await store.find(actor.workspaceId, params.id);
        if (key === null) throw notFound('API key');
        const [data] = await viewsOf(needs, [key]);
        return { status: 200, data, version: API_KEY_VERSION };
      },
    }),
    ...changeRoutes(needs, schemas),
  ];
}

async function viewsOf({ users }: ApiKeyRoutesNeeds, keys: readonly ApiKeyDocument[]): Promise<ApiKey[]> {
  const emails = await users.emails(keys.map(({ user_id }) => user_id));
  return keys.map((key) => apiKeyOf(key, emails));
}

/** The reply that contains a new key. It was made in the name of the actor. */
function created({ document, key }: MadeKey, actor: Actor): Reply {
  return {
    status: 201,
    data: { ...apiKeyOf(document, new Map([[document.user_id, actor.email]])), key },
    location: `/v1/api-keys/${document._id}`,
  };
}

function changeRoutes({ createKey, rotateKey, revokeKey }: ApiKeyRoutesNeeds, schemas: ApiKeySchemas): Route[] {
  return [
    mutationRoute({
      method: 'POST',
      path: '/v1/api-keys',
      access: 'full',
      refusedAs: 'api_key.change_refused',
      confirmedEmail: true,
      fresh: true,
      tag: 'API keys',
      summary: 'Create an API key',
      description:
        'Only this response contains the key. If you create it with a key that expires, it must not expire later than that one. A workspace has at most 100 keys that are neither revoked nor expired.',
      body: schemas.CreateApiKey,
      errors: ['plan_required', 'conflict'],
      replies: { 201: schemas.CreatedApiKey },
      async handle({ actor, body }, tx) {
        return { ...created(await createKey(tx, actor, body), actor), version: API_KEY_VERSION };
      },
    }),
    mutationRoute({
      method: 'POST',
      path: '/v1/api-keys/{id}/rotate',
      access: 'full',
      refusedAs: 'api_key.change_refused',
      confirmedEmail: true,
      fresh: true,
      tag: 'API keys',
      summary: 'Replace an API key by a new one',
      description:
        'The new key has the same name and scopes, acts in your name, and is only in this response. The old key goes on working for `overlap_seconds`. A key that expires is replaced by one with the same lifetime.',
      params: ApiKeyParams,
      body: schemas.RotateApiKey,
      bodyOptional: true,
      versioned: true,
      errors: ['conflict'],
      replies: { 201: schemas.CreatedApiKey },
      async handle({ actor, params, body }, tx) {
        return { ...created(await rotateKey(tx, actor, params.id, body), actor), version: API_KEY_VERSION };
      },
    }),
    mutationRoute({
      method: 'DELETE',
      path: '/v1/api-keys/{id}',
      access: 'full',
      refusedAs: 'api_key.change_refused',
      fresh: true,
      tag: 'API keys',
      summary: 'Revoke an API key',
      description: 'The key stops working within a second.',
      params: ApiKeyParams,
      replies: { 204: null },
      async handle({ actor, params, ifVersion }, tx) {
        await revokeKey(tx, actor, params.id, ifVersion);
        return { status: 204 };
      },
    }),
  ];
}
