import type { ProviderClient, ProviderClientNeeds } from './provider-client.js';

/** Returns a client that loads the library, which takes 10 MB, when the first provider is asked. */
export function createLazyProviderClient(needs: ProviderClientNeeds): ProviderClient {
  let loading: Promise<ProviderClient> | null = null;
  const client = () => {
    loading ??= import('./provider-client.js').then(({ createProviderClient }) => createProviderClient(needs));
    // What could not be loaded, for example while a new version is being installed, is tried again.
    loading.catch(() => {
      loading = null;
    });
    return loading;
  };
  return {
    discover: async (issuer) => (await client()).discover(issuer),
    authorizationUrl: async (metadata, settings, request) =>
      (await client()).authorizationUrl(metadata, settings, request),
    redeem: async (metadata, settings, answer) => (await client()).redeem(metadata, settings, answer),
  };
}
