import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import { createDnsClient } from '../../kernel/dns/dns-client.js';
import type { GuardedFetch } from '../../kernel/guard/guarded-fetch.js';
import type { Logger } from '../../kernel/logger.js';
import type { Actor } from '../actor.js';
import type { Pager } from '../http/paging.js';
import type { ProbeScans } from '../nodes/nodes.js';
import type { StandingOf } from '../plans/cache.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { SecretBox } from '../storage/secret-box.js';
import type { RunTransaction } from '../storage/transaction.js';
import type { Timeline } from '../timeline/timeline.js';
import { createProofToken, createReadProof } from './confirmation/proof.js';
import { createScanDaysStore, type ScanDaysStore } from './days-store.js';
import type { ScanNeeds } from './needs.js';
import { scansQuota } from './quota.js';
import { createScanRoutes } from './routes.js';
import { createFinishScan } from './run/finish.js';
import { createScanJob, type ScanJob } from './run/job.js';
import { createScanStore, type ScanStore } from './store.js';

/** The stored scans. */
export interface ScanRecords extends OpenedSlice {
  store: ScanStore;
  days: ScanDaysStore;
  ensureIndexes(): Promise<void>;
}

export const scanRecordsSlice = {
  name: 'scanRecords',
  idPrefixes: ['scn'],
  open({ db }: { db: Db }): ScanRecords {
    const store = createScanStore(db);
    const days = createScanDaysStore(db);
    return {
      store,
      days,
      async ensureIndexes() {
        await Promise.all([store.ensureIndexes(), days.ensureIndexes()]);
      },
    };
  },
} satisfies Slice<'scanRecords', { db: Db }, ScanRecords>;

export interface ScansNeeds extends Omit<ScanNeeds, 'store' | 'days'> {
  records: ScanRecords;
  probes: ProbeScans;
  /** Resolvers of the confirmation; empty: those of the system. */
  dnsServers: readonly string[];
  fetch: Pick<GuardedFetch, 'request'>;
  box: Pick<SecretBox, 'fingerprint'>;
  timeline: Timeline;
  standingOf: StandingOf;
  systemActor(workspaceId: string): Actor;
  runTransaction: RunTransaction;
  pager: Pager;
  clock: Clock;
  logger: Logger;
}

export interface OpenScans extends OpenedSlice {
  job: ScanJob;
}

/** Opens the scans and what gives them to probes. */
function openScans(needs: ScansNeeds): OpenScans {
  const { records, clock } = needs;
  const { store, days } = records;
  const tokenOf = createProofToken(needs.box);
  const dns = createDnsClient({ servers: needs.dnsServers, clock });
  const job = createScanJob({
    ...needs,
    store,
    tokenOf,
    readProof: createReadProof({ dns, fetch: needs.fetch }),
    finish: createFinishScan({ ...needs, store, days }),
  });
  return {
    job,
    routes: createScanRoutes({ operations: { ...needs, store, days }, tokenOf, pager: needs.pager }),
    quotas: [scansQuota(days, clock)],
    jobs: [job],
  };
}

/** Security scans of the websites of monitors. */
export const scansSlice = {
  name: 'scans',
  scopes: ['scans:read', 'scans:write'],
  auditActions: ['scan.triggered', 'scan.completed', 'scan.deleted'],
  open: openScans,
} satisfies Slice<'scans', ScansNeeds, OpenScans>;
