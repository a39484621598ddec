import type { Db } from 'mongodb';
import type { GuardedDownload } from '../../kernel/guard/guarded-download.js';
import type { GuardedFetch } from '../../kernel/guard/guarded-fetch.js';
import { createGuessLimit } from '../http/limits/guess-limit.js';
import { createRateLimitStore } from '../http/limits/rate-limit-store.js';
import type { Pager } from '../http/paging.js';
import type { StandingOf } from '../plans/cache.js';
import { countedQuota } from '../plans/quotas.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { LeasedPeriodicTaskNeeds } from '../storage/leases/leased-periodic-task.js';
import type { RunTransaction } from '../storage/transaction.js';
import { createEndCodes } from './end-codes.js';
import { createJobRoutes } from './jobs/routes.js';
import { createJobStore, type JobStore } from './jobs/store.js';
import type { SiteNeeds } from './needs.js';
import { createNoncesStore } from './protocol/nonces-store.js';
import { createPluginRoutes } from './protocol/routes.js';
import { createSiteRoutes } from './routes.js';
import { createSiteStore, type SiteStore } from './store.js';
import { createVisitJob } from './visits/job.js';
import { createFeedJob } from './vulnerabilities/job.js';
import type { FeedSetting } from './vulnerabilities/setting.js';
import { createVulnerabilityStore } from './vulnerabilities/store.js';

/** The stored sites and their jobs. */
export interface WordpressRecords extends OpenedSlice {
  sites: SiteStore;
  siteJobs: JobStore;
  ensureIndexes(): Promise<void>;
}

export const wordpressRecordsSlice = {
  name: 'wordpressRecords',
  idPrefixes: ['site', 'job'],
  open({ db }: { db: Db }): WordpressRecords {
    const sites = createSiteStore(db);
    const siteJobs = createJobStore(db);
    return {
      sites,
      siteJobs,
      async ensureIndexes() {
        await Promise.all([sites.ensureIndexes(), siteJobs.ensureIndexes()]);
      },
    };
  },
} satisfies Slice<'wordpressRecords', { db: Db }, WordpressRecords>;

type WordpressNeeds = Omit<SiteNeeds, 'sites' | 'jobs' | 'nonces' | 'vulnerabilities' | 'hasFeed'> &
  LeasedPeriodicTaskNeeds & {
    db: Db;
    records: Pick<WordpressRecords, 'sites' | 'siteJobs'>;
    fetch: GuardedFetch;
    download: GuardedDownload;
    /** Where the feed of vulnerable plugins is; null: there is none. */
    feed: FeedSetting | null;
    runTransaction: RunTransaction;
    /** The transactions of requests, with their short deadline. */
    runRequestTransaction: RunTransaction;
    standingOf: StandingOf;
    pager: Pager;
  };

/** Opens WordPress sites, the routes of their plugin, and the visits of the sites. */
function openWordpress(needs: WordpressNeeds): OpenedSlice {
  const { db, pager, feed } = needs;
  const { sites, siteJobs: jobs } = needs.records;
  const nonces = createNoncesStore(db);
  const vulnerabilities = createVulnerabilityStore(db);
  const operations = { ...needs, sites, jobs, nonces, vulnerabilities, hasFeed: feed !== null };
  const guesses = createGuessLimit({ ...needs, what: 'activation code', store: createRateLimitStore(db) });
  return {
    routes: [
      ...createSiteRoutes({ operations, pager }),
      ...createJobRoutes(operations),
      ...createPluginRoutes({ operations, guesses, runTransaction: needs.runRequestTransaction }),
    ],
    quotas: [
      countedQuota({
        ...{ name: 'sites', label: 'WordPress sites', things: sites.named },
        limit: ({ sites }) => sites,
      }),
    ],
    memberAccess: [{ name: 'activation_codes_ended', end: createEndCodes(sites) }],
    jobs: [
      guesses,
      createVisitJob(operations),
      ...(feed === null ? [] : [createFeedJob({ ...operations, setting: feed })]),
    ],
    async ensureIndexes() {
      await Promise.all([nonces.ensureIndexes(), vulnerabilities.ensureIndexes()]);
    },
  };
}

/** WordPress sites: the connection with their plugin, checks, fixes and their undoing. */
export const wordpressSlice = {
  name: 'wordpress',
  scopes: ['wordpress:read', 'wordpress:write'],
  auditActions: [
    'site.created',
    'site.deleted',
    'site.code_created',
    'site.connected',
    'site.disconnected',
    'site.fix_queued',
    'site.undo_queued',
    'site.plugin_change_queued',
    'site.job_ended',
  ],
  open: openWordpress,
} satisfies Slice<'wordpress', WordpressNeeds, OpenedSlice>;
