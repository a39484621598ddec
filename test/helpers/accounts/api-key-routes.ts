import { createCreateKey } from '../../../control-plane/accounts/api-keys/create.js';
import { createRevokeKey } from '../../../control-plane/accounts/api-keys/revoke.js';
import { createRotateKey } from '../../../control-plane/accounts/api-keys/rotate.js';
import { createApiKeyRoutes } from '../../../control-plane/accounts/api-keys/routes.js';
import { createApiKeysStore } from '../../../control-plane/accounts/api-keys/store.js';
import { createUsersStore } from '../../../control-plane/accounts/users-store.js';
import type { Route } from '../../../control-plane/http/route.js';
import { systemRandom } from '../../../kernel/random.js';
import type { TestParts } from '../app.js';
import { DECLARED } from '../declared.js';

/** The routes of API keys, for `startApp`. */
export function apiKeyRoutes({ mongo, pager, audit, ids, clock, keyAuthenticator }: TestParts): Route[] {
  const store = createApiKeysStore(mongo.db);
  const { invalidate } = keyAuthenticator;
  const shared = { store, audit, ids, clock, random: systemRandom, invalidate };
  return createApiKeyRoutes({
    ...{ store, users: createUsersStore(mongo.db), pager, scopes: DECLARED.scopes },
    createKey: createCreateKey(shared),
    rotateKey: createRotateKey(shared),
    revokeKey: createRevokeKey(shared),
  });
}
