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
        'Its settings stay, but nobody can log in with it. Members who had to use it can log in with a password or a passkey.',
    }),
  ];
}
