import type { Db } from 'mongodb';
import type { GuardedDownload } from '../../kernel/guard/guarded-download.js';
import type { Random } from '../../kernel/random.js';
import type { Pager } from '../http/paging.js';
import type { MonitorReader, TargetReads } from '../monitors/monitors.js';
import type { StandingOf } from '../plans/cache.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { Ids } from '../storage/ids.js';
import type { LeasedPeriodicTaskNeeds } from '../storage/leases/leased-periodic-task.js';
import type { RunTransaction } from '../storage/transaction.js';
import type { Timeline } from '../timeline/timeline.js';
import type { MonitoredDomainListener } from './domain-expiry.js';
import { createCheckDomain } from './monitoring/check-domain.js';
import { createDomainExpiryJob, type DomainExpiryJob } from './monitoring/job.js';
import { createSync, type MonitorChangeReads } from './monitoring/sync.js';
import { createAskRdap } from './rdap/ask.js';
import { createBootstrap } from './rdap/bootstrap.js';
import { type BootstrapStore, createBootstrapStore } from './rdap/bootstrap-store.js';
import { createRdapServerStore, type RdapServerStore } from './rdap/servers-store.js';
import { createFirstQuestionStore, type FirstQuestionStore } from './registrations/first-questions-store.js';
import { createLookUp } from './registrations/look-up.js';
import { createRegistrationStore, type RegistrationStore } from './registrations/store.js';
import { createDomainRoutes } from './routes.js';
import { createMonitoredDomainStore, type MonitoredDomainStore } from './store.js';

/** The stored domains, and what registries say of them. */
export interface DomainRecords extends OpenedSlice {
  domains: MonitoredDomainStore;
  registrations: RegistrationStore;
  firstQuestions: FirstQuestionStore;
  rdapServers: RdapServerStore;
  bootstraps: BootstrapStore;
  ensureIndexes(): Promise<void>;
}

export const domainRecordsSlice = {
  name: 'domainRecords',
  idPrefixes: ['dmn'],
  open({ db }: { db: Db }): DomainRecords {
    const domains = createMonitoredDomainStore(db);
    const registrations = createRegistrationStore(db);
    const rdapServers = createRdapServerStore(db);
    const firstQuestions = createFirstQuestionStore(db);
    return {
      ...{ domains, registrations, firstQuestions, rdapServers, bootstraps: createBootstrapStore(db) },
      async ensureIndexes() {
        await Promise.all([domains, registrations, firstQuestions, rdapServers].map((store) => store.ensureIndexes()));
      },
    };
  },
} satisfies Slice<'domainRecords', { db: Db }, DomainRecords>;

export interface DomainExpiryNeeds extends LeasedPeriodicTaskNeeds {
  records: DomainRecords;
  /** Where the list of RDAP servers is; null: no registry is asked. */
  bootstrapUrl: string | null;
  download: GuardedDownload;
  targets: TargetReads;
  findMonitor: MonitorReader['find'];
  changes: MonitorChangeReads;
  listener: MonitoredDomainListener;
  timeline: Timeline;
  standingOf: StandingOf;
  runTransaction: RunTransaction;
  ids: Ids;
  random: Random;
  pager: Pager;
}

export interface DomainExpiry extends OpenedSlice {
  /** null: no registry is asked. */
  job: DomainExpiryJob | null;
}

/** Opens the domains of monitors and the daily question to their registries. */
function openDomainExpiry(needs: DomainExpiryNeeds): DomainExpiry {
  const { records, bootstrapUrl: url } = needs;
  const shared = { ...needs, ...records };
  const job =
    url === null
      ? null
      : createDomainExpiryJob({
          ...shared,
          sync: createSync(shared),
          servers: createBootstrap({ ...shared, url }),
          checkDomain: createCheckDomain({ ...shared, lookUp: createLookUp({ ...shared, ask: createAskRdap(needs) }) }),
        });
  return { job, routes: createDomainRoutes(shared), jobs: job === null ? [] : [job] };
}

/** The expiry of the registered domains of monitors. */
export const domainExpirySlice = {
  name: 'domainExpiry',
  open: openDomainExpiry,
} satisfies Slice<'domainExpiry', DomainExpiryNeeds, DomainExpiry>;
