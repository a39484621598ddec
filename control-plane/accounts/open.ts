import type { Random } from '../../kernel/random.js';
import type { Scope } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import type { Pager } from '../http/paging.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { Ids } from '../storage/ids.js';
import type { LeasedPeriodicTaskNeeds } from '../storage/leases/leased-periodic-task.js';
import { createCreateKey } from './api-keys/create.js';
import { createExpiryReminders, type ExpiryRemindersNeeds } from './api-keys/expiry-reminders.js';
import { createKeyAuthenticator } from './api-keys/key-authenticator.js';
import { createRevokeKey } from './api-keys/revoke.js';
import { createRotateKey } from './api-keys/rotate.js';
import { createApiKeyRoutes } from './api-keys/routes.js';
import type { ApiKeysStore } from './api-keys/store.js';
import type { MembershipsStore } from './memberships-store.js';
import { createPasswordProblem, type PasswordProblem } from './passwords/password-strength.js';
import { accountQuotas } from './quotas.js';

interface AccountsNeeds extends LeasedPeriodicTaskNeeds, Omit<ExpiryRemindersNeeds, 'store'> {
  apiKeys: ApiKeysStore;
  memberships: MembershipsStore;
  /** Of all slices. */
  scopes: readonly Scope[];
  audit: AuditLog;
  pager: Pager;
  ids: Ids;
  random: Random;
}

export interface OpenedAccounts extends OpenedSlice {
  passwordProblem: PasswordProblem;
}

/** Workspaces, users and API keys. */
export const accountsSlice: Slice<'accounts', AccountsNeeds, OpenedAccounts> = {
  name: 'accounts',
  idPrefixes: ['ws', 'usr', 'key'],
  auditActions: ['api_key.created', 'api_key.revoked', 'api_key.rotated', 'api_key.change_refused'],
  open(needs) {
    const keys = createKeyAuthenticator({ ...needs, store: needs.apiKeys });
    const shared = { ...needs, store: needs.apiKeys };
    const createKey = createCreateKey(shared);
    const revokeKey = createRevokeKey({ ...shared, invalidate: keys.invalidate });
    const rotateKey = createRotateKey({ ...shared, invalidate: keys.invalidate });
    return {
      passwordProblem: createPasswordProblem(),
      authenticators: [keys],
      quotas: accountQuotas(needs),
      memberAccess: [
        {
          name: 'api_keys_revoked',
          // Of a member with fewer rights, a key has fewer rights too: authentication reads the role of its creator.
          end: async (tx, { workspaceId, userId, role }) =>
            role === null ? needs.apiKeys.revokeAllOf(tx, workspaceId, userId, needs.clock.now()) : 0,
        },
      ],
      jobs: [createExpiryReminders({ ...needs, store: needs.apiKeys })],
      routes: createApiKeyRoutes({ ...shared, createKey, rotateKey, revokeKey }),
    };
  },
};
