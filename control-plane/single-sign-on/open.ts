import type { Db } from 'mongodb';
import { createTokenBuckets } from '../../kernel/buckets/token-buckets.js';
import type { GuardedFetch } from '../../kernel/guard/guarded-fetch.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import type { WorkspacesStore } from '../accounts/workspaces-store.js';
import type { Pager } from '../http/paging.js';
import { createReferenceLock } from '../references/lock.js';
import type { Job, OpenedSlice, Slice } from '../slice.js';
import { browserMounts } from './browser-mounts.js';
import { createDomainStore } from './domains/store.js';
import { createTxtLookup } from './domains/txt-lookup.js';
import type { InstallationProvider } from './installation.js';
import { createLazyProviderClient } from './oidc/lazy-provider-client.js';
import { cachedDiscovery } from './oidc/metadata-cache.js';
import { createOidcFetch } from './oidc/oidc-fetch.js';
import type { ProviderClient } from './oidc/provider-client.js';
import type { SaveProviderNeeds } from './provider/save.js';
import { createProviderStore } from './provider/store.js';
import { singleSignOnQuotas } from './quotas.js';
import { singleSignOnRoutes } from './routes.js';
import { STRANGERS_RECORDED } from './sign-in/failure.js';
import type { FinishNeeds } from './sign-in/finish.js';
import { createFlowCookie } from './sign-in/flow-cookie.js';
import { createIdentitiesStore } from './sign-in/identities-store.js';
import { createProviders } from './sign-in/providers.js';
import { createUsedStatesStore } from './sign-in/used-states-store.js';

type Built =
  | 'providers'
  | 'domains'
  | 'identities'
  | 'usedStates'
  | 'providerStore'
  | 'providerLock'
  | 'client'
  | 'cookie'
  | 'strangers'
  | 'allowHttp';

export interface SingleSignOnNeeds extends Omit<FinishNeeds & SaveProviderNeeds, Built> {
  db: Db;
  workspaces: WorkspacesStore;
  fetch: GuardedFetch;
  pager: Pager;
  random: Random;
  logger: Logger;
  publicUrl: string;
  /** `PICKET_DNS_SERVERS`. */
  dnsServers: readonly string[];
  /** Whether checks may reach private addresses: then a provider may also be without TLS. */
  allowPrivateTargets: boolean;
  installation: InstallationProvider | null;
}

/** Log-in through identity providers (OpenID Connect), of workspaces and of the whole installation. */
export const singleSignOnSlice: Slice<'singleSignOn', SingleSignOnNeeds, OpenedSlice> = {
  name: 'singleSignOn',
  idPrefixes: ['sso'],
  open(needs) {
    const { db, clock, publicUrl, installation } = needs;
    const stores = {
      domains: createDomainStore(db),
      identities: createIdentitiesStore(db),
      usedStates: createUsedStatesStore(db),
    };
    const providerStore = createProviderStore(db);
    const providerLock = createReferenceLock(db);
    const allowHttp = needs.allowPrivateTargets;
    const asking = createLazyProviderClient({
      ...{ fetch: createOidcFetch({ fetch: needs.fetch, allowHttp }), allowHttp, clock },
    });
    const client: ProviderClient = { ...asking, discover: cachedDiscovery(asking.discover, clock) };
    const providers = createProviders({ ...needs, ...stores, providers: providerStore });
    const cookie = createFlowCookie(publicUrl);
    const strangers = createTokenBuckets(STRANGERS_RECORDED, clock);
    return {
      quotas: singleSignOnQuotas(providerStore),
      async ensureIndexes() {
        for (const store of [stores.domains, stores.identities, stores.usedStates, providerLock])
          await store.ensureIndexes();
      },
      routes: singleSignOnRoutes({
        ...{ ...needs, ...stores, providers: providerStore, providerLock, allowHttp },
        // Saving asks the provider itself, not the cache.
        ...{ client: asking, lookupTxt: createTxtLookup(needs.dnsServers) },
      }),
      mounts: browserMounts({ ...needs, ...stores, providers, providerStore, providerLock, client, cookie, strangers }),
      jobs: installation === null ? [] : [firstDiscovery(installation, client, needs.logger)],
    };
  },
};

/** Asks the provider of the installation at the start, so that a wrong issuer is in the log before anybody logs in. */
function firstDiscovery({ issuer }: InstallationProvider, client: ProviderClient, logger: Logger): Job {
  return {
    start() {
      client.discover(issuer).catch((err: unknown) => {
        logger.warn(
          { err, issuer },
          'the identity provider of PICKET_OIDC_ISSUER cannot be used; log-ins ask it again',
        );
      });
    },
    stop() {},
  };
}
