import { createCreateKey } from './accounts/create-api-key.js';
import { createKeyAuthenticator } from './accounts/key-authenticator.js';
import { createRevokeKey } from './accounts/revoke-api-key.js';
import { createAccountRoutes } from './accounts/routes.js';
import type { Foundation } from './foundation.js';
import type { Authenticator } from './http/authenticate.js';
import type { Route } from './http/route.js';

/** API keys: what proves who a caller is, and their endpoints. */
export interface AccountParts {
  authenticators: Authenticator[];
  routes: Route[];
}

export function openAccountParts(foundation: Foundation): AccountParts {
  const { apiKeys: store, clock, logger } = foundation;
  const keys = createKeyAuthenticator({ store, clock, logger });
  const shared = { ...foundation, store };
  return {
    authenticators: [keys],
    routes: createAccountRoutes({
      ...shared,
      createKey: createCreateKey(shared),
      revokeKey: createRevokeKey({ ...shared, forget: keys.forget }),
    }),
  };
}
