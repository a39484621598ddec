import { lookup } from 'node:dns';
import type { SecureContext } from 'node:tls';
import type { Db } from 'mongodb';
import { createDnsClient } from '../../kernel/dns/dns-client.js';
import { createGuardedConnect } from '../../kernel/guard/guarded-connect.js';
import type { GuardedFetch } from '../../kernel/guard/guarded-fetch.js';
import type { TargetGuard } from '../../kernel/guard/target-guard.js';
import type { Actor } from '../actor.js';
import type { Pager } from '../http/paging.js';
import type { StandingOf } from '../plans/cache.js';
import type { PlanName } from '../plans/plans.js';
import { countedQuota } from '../plans/quotas.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { LeasedPeriodicTaskNeeds } from '../storage/leases/leased-periodic-task.js';
import type { RunTransaction, Transaction } from '../storage/transaction.js';
import type { Timeline } from '../timeline/timeline.js';
import type { PolicyUrl } from './areas/mta-sts.js';
import { createAskStarttls } from './check/ask-starttls.js';
import { createCheckDomain } from './check/check-domain.js';
import type { DomainListener } from './email-domains.js';
import { createCheckAndSave } from './monitoring/check-and-save.js';
import { createDomainDaysStore, type DomainDaysStore } from './monitoring/days-store.js';
import { createDomainJob, type DomainJob } from './monitoring/job.js';
import type { EmailDomainNeeds } from './needs.js';
import { createEmailDomainRoutes } from './routes.js';
import { createEmailDomainStore, type EmailDomainStore } from './store.js';

/** The stored e-mail domains and their history. */
export interface EmailDomainRecords extends OpenedSlice {
  store: EmailDomainStore;
  days: DomainDaysStore;
  ensureIndexes(): Promise<void>;
}

export const emailDomainRecordsSlice = {
  name: 'emailDomainRecords',
  idPrefixes: ['eml'],
  open({ db }: { db: Db }): EmailDomainRecords {
    const store = createEmailDomainStore(db);
    const days = createDomainDaysStore(db);
    return {
      store,
      days,
      async ensureIndexes() {
        await Promise.all([store.ensureIndexes(), days.ensureIndexes()]);
      },
    };
  },
} satisfies Slice<'emailDomainRecords', { db: Db }, EmailDomainRecords>;

export interface EmailDomainsNeeds
  extends Omit<EmailDomainNeeds, 'store' | 'days' | 'listener'>,
    LeasedPeriodicTaskNeeds {
  records: EmailDomainRecords;
  /** Resolvers of lookups; empty: those of the system. */
  dnsServers: readonly string[];
  guard: TargetGuard;
  fetch: Pick<GuardedFetch, 'request'>;
  policyUrl: PolicyUrl;
  /** How Picket names itself to mail servers. */
  ehloName: string;
  smtpPort: number;
  /** The authorities that mail servers' certificates must be of; null for those of Node.js. */
  mailAuthorities: SecureContext | null;
  listener: DomainListener;
  ensureDefaultRule(tx: Transaction, actor: Actor): Promise<void>;
  timeline: Timeline;
  planOf(workspaceId: string): Promise<PlanName | null>;
  standingOf: StandingOf;
  runTransaction: RunTransaction;
  pager: Pager;
}

export interface OpenEmailDomains extends OpenedSlice {
  job: DomainJob;
}

/** Opens the domains and their daily check. */
function openEmailDomains(needs: EmailDomainsNeeds): OpenEmailDomains {
  const { records, clock } = needs;
  const { store, days } = records;
  const checkDomain = createCheckDomain({
    ...needs,
    dns: createDnsClient({ servers: needs.dnsServers, clock }),
    askStarttls: createAskStarttls({
      connect: createGuardedConnect({ guard: needs.guard, clock, lookup }),
      clock,
      ehloName: needs.ehloName,
      port: needs.smtpPort,
      secureContext: needs.mailAuthorities,
    }),
  });
  const shared = { ...needs, store, days, checkDomain };
  const job = createDomainJob({ ...shared, checkAndSave: createCheckAndSave(shared) });
  return {
    job,
    routes: createEmailDomainRoutes({ operations: shared, days, pager: needs.pager, clock }),
    quotas: [
      countedQuota({
        name: 'email_domains',
        label: 'e-mail domains',
        things: store.named,
        limit: ({ emailDomains }) => emailDomains,
      }),
    ],
    jobs: [job],
  };
}

/** E-mail deliverability: domains, their daily check and its history. */
export const emailDomainsSlice = {
  name: 'emailDomains',
  scopes: ['email_domains:read', 'email_domains:write'],
  auditActions: [
    'email_domain.created',
    'email_domain.updated',
    'email_domain.deleted',
    'email_domain.check_requested',
  ],
  open: openEmailDomains,
} satisfies Slice<'emailDomains', EmailDomainsNeeds, OpenEmailDomains>;
