import type { Clock } from '../../kernel/clock.js';
import { countedQuota, featureQuota, type Quota } from '../plans/quotas.js';
import { ACTIVE_KEYS_PER_WORKSPACE_MAX } from './api-keys/create.js';
import type { ApiKeysStore } from './api-keys/store.js';
import { MEMBERS_PER_WORKSPACE_MAX } from './join.js';
import type { MembershipsStore } from './memberships-store.js';

/** Returns what plans limit of keys and members. */
export function accountQuotas(needs: {
  apiKeys: ApiKeysStore;
  memberships: Pick<MembershipsStore, 'count'>;
  clock: Clock;
}): Quota[] {
  const { all, scoped } = needs.apiKeys.active(needs.clock);
  return [
    countedQuota({ name: 'api_keys', label: 'API keys', limit: () => ACTIVE_KEYS_PER_WORKSPACE_MAX, things: all }),
    featureQuota({
      ...{ name: 'scoped_api_keys', label: 'API keys with scopes', labelOfOne: 'API key with scopes', things: scoped },
      isIncluded: ({ scopedKeys }) => scopedKeys,
      consequence: 'Existing ones keep working; no further ones can be created.',
    }),
    countedQuota({
      ...{ name: 'members', label: 'members', limit: () => MEMBERS_PER_WORKSPACE_MAX },
      things: { count: needs.memberships.count, newest: async () => [] },
    }),
  ];
}
