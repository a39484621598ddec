import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import type { Scope } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import type { Pager } from '../http/paging.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { Ids } from '../storage/ids.js';
import { createCreateKey } from './api-keys/create.js';
import { createKeyAuthenticator } from './api-keys/key-authenticator.js';
import { createRevokeKey } from './api-keys/revoke.js';
import { createApiKeyRoutes } from './api-keys/routes.js';
import type { ApiKeysStore } from './api-keys/store.js';
import type { MembershipsStore } from './memberships-store.js';
import { accountQuotas } from './quotas.js';
import { createAccountRoutes } from './routes.js';

interface AccountsNeeds {
  apiKeys: ApiKeysStore;
  memberships: Pick<MembershipsStore, 'count'>;
  /** Of all slices. */
  scopes: readonly Scope[];
  audit: AuditLog;
  pager: Pager;
  ids: Ids;
  clock: Clock;
  random: Random;
  logger: Logger;
}

/** Workspaces, users and API keys. */
export const accountsSlice: Slice<'accounts', AccountsNeeds, OpenedSlice> = {
  name: 'accounts',
  idPrefixes: ['ws', 'usr', 'key'],
  // These have no slice yet, but keys with their scopes can already be created.
  scopes: [
    'reports:read',
    'reports:write',
    'wordpress:read',
    'wordpress:write',
    'maintenance:read',
    'maintenance:write',
    'status_pages:read',
    'status_pages:write',
  ],
  // There is no sign-in yet, so nothing writes the `auth` and `team` actions. Filters already accept them.
  auditActions: [
    'auth.password_reset',
    'team.member_invited',
    'team.role_changed',
    'team.member_removed',
    'api_key.created',
    'api_key.revoked',
  ],
  open(needs) {
    const keys = createKeyAuthenticator({ ...needs, store: needs.apiKeys });
    const shared = { ...needs, store: needs.apiKeys };
    const createKey = createCreateKey(shared);
    const revokeKey = createRevokeKey({ ...shared, invalidate: keys.invalidate });
    return {
      authenticators: [keys],
      quotas: accountQuotas(needs),
      routes: [...createAccountRoutes(needs), ...createApiKeyRoutes({ ...shared, createKey, revokeKey })],
    };
  },
};
