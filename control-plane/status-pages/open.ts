import { createDnsClient } from '../../kernel/dns/dns-client.js';
import type { Passwords } from '../accounts/passwords/password.js';
import { createGuessLimit } from '../http/limits/guess-limit.js';
import { createRateLimitStore } from '../http/limits/rate-limit-store.js';
import { createReferenceLock } from '../references/lock.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { PercentUp } from './compile/days.js';
import { createExportJob, type ExportJob } from './export/job.js';
import type { PageSources } from './facts/facts.js';
import { createHostIndex } from './hosts/host-index.js';
import { createHostJob, type HostJob } from './hosts/job.js';
import { createReadHostRecords } from './hosts/records.js';
import { createLogosStore } from './logo/logos-store.js';
import type { Existing } from './needs.js';
import { statusPagesQuota } from './quota.js';
import { createStatusPageRoutes } from './routes.js';
import { allowedMount } from './serve/allowed-mount.js';
import { createCompileWithoutDays } from './serve/compile-without-days.js';
import { createGate, type GateNeeds } from './serve/gate.js';
import { hostMount } from './serve/host-mount.js';
import { statusMount } from './serve/mount.js';
import { createCompileNow, createPublicPages } from './serve/pages.js';
import { createFormerAddresses } from './settings/former-addresses.js';
import { statusPageReferences } from './settings/references.js';
import { createStatusPageStore } from './store.js';
import { openSubscriptions, type SubscriptionsNeeds } from './subscribers/open.js';
import { createPageIncidentRoutes } from './updates/routes.js';
import { createPageIncidentStore } from './updates/store.js';

interface StatusPagesNeeds extends SubscriptionsNeeds {
  sources: PageSources;
  percentUp: PercentUp;
  existingMonitors: Existing;
  existingServers: Existing;
  passwords: Pick<Passwords, 'hash' | 'verify'>;
  signedIn: GateNeeds['signedIn'];
  entersWorkspace: GateNeeds['entersWorkspace'];
  /** Resolvers of lookups; empty: those of the system. */
  dnsServers: readonly string[];
  /** Where public pages are written as files; null: nowhere. */
  exportDir: string | null;
}

export interface OpenStatusPages extends OpenedSlice {
  hostJob: HostJob;
  /** null without a folder to write to. */
  exportJob: ExportJob | null;
}

/** Status pages: what a workspace shows to the public of its monitors and servers. */
export const statusPagesSlice: Slice<'statusPages', StatusPagesNeeds, OpenStatusPages> = {
  name: 'statusPages',
  idPrefixes: ['stp', 'cmp', 'spi', 'upd', 'sub'],
  scopes: ['status_pages:read', 'status_pages:write'],
  auditActions: [
    'status_page.created',
    'status_page.updated',
    'status_page.deleted',
    'status_page.incident_created',
    'status_page.incident_updated',
    'status_page.incident_deleted',
    'status_page.update_posted',
    'status_page.subscriber_added',
    'status_page.subscriber_confirmed',
    'status_page.subscriber_left',
    'status_page.subscriber_removed',
  ],
  open(all) {
    const { db, pager } = all;
    const store = createStatusPageStore(db);
    const formerAddresses = createFormerAddresses(db);
    const rates = createRateLimitStore(db);
    const guesses = createGuessLimit({ ...all, what: 'status page password', store: rates });
    const incidents = createPageIncidentStore(db);
    const compile = createCompileWithoutDays({ ...all, incidents });
    const isStopped = all.sources.isStopped;
    const subscriptions = openSubscriptions({ ...all, store, rates, compile, isStopped });
    const { changes, form } = subscriptions;
    const logos = createLogosStore(db);
    const needs = {
      ...{ ...all, store, formerAddresses, incidents, logos, changes },
      referenceLock: createReferenceLock(db),
    };
    // One for readers and files, which share its history in memory and its limits.
    const compileNow = createCompileNow(needs);
    const serving = {
      publicUrl: all.publicUrl,
      pages: createPublicPages({ ...needs, compileNow }),
      gate: createGate({ ...needs, guesses }),
      hosts: createHostIndex(needs),
      form,
      logos,
    };
    const readRecords = createReadHostRecords(
      createDnsClient({ servers: all.dnsServers, clock: all.clock }),
      all.publicUrl,
    );
    const hostJob = createHostJob({ ...needs, readRecords });
    const { exportDir } = all;
    const exportJob = exportDir === null ? null : createExportJob({ ...needs, exportDir, compileNow });
    return {
      hostJob,
      exportJob,
      routes: [
        ...createStatusPageRoutes(needs, pager),
        ...createPageIncidentRoutes(needs, pager),
        ...(subscriptions.routes ?? []),
      ],
      mounts: [hostMount(serving), statusMount(serving), allowedMount(serving), ...(subscriptions.mounts ?? [])],
      jobs: [guesses, hostJob, ...(exportJob === null ? [] : [exportJob]), ...(subscriptions.jobs ?? [])],
      quotas: [statusPagesQuota(store), ...(subscriptions.quotas ?? [])],
      backlogs: subscriptions.backlogs ?? [],
      referenceHolders: statusPageReferences(needs),
      async ensureIndexes() {
        const stores = [store, formerAddresses, incidents, logos];
        await Promise.all([...stores.map((one) => one.ensureIndexes()), subscriptions.ensureIndexes?.()]);
      },
    };
  },
};
