import { featureQuota, type Quota } from '../plans/quotas.js';
import type { ProviderStore } from './provider/store.js';

/** Returns what plans limit of single sign-on. */
export function singleSignOnQuotas(providers: Pick<ProviderStore, 'find'>): Quota[] {
  const issuers = async (workspaceId: string) => {
    const provider = await providers.find(workspaceId);
    return provider === null ? [] : [provider.issuer];
  };
  return [
    featureQuota({
      ...{ name: 'single_sign_on', label: 'identity providers', labelOfOne: 'identity provider' },
      isIncluded: ({ singleSignOn }) => singleSignOn,
      things: { count: async (workspaceId) => (await issuers(workspaceId)).length, newest: issuers },
      consequence:
        'Its settings stay. If it is enforced, members go on logging in with it, until an owner removes it; otherwise nobody can log in with it.',
    }),
  ];
}
