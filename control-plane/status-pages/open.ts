import type { Db } from 'mongodb';
import { createDnsClient } from '../../kernel/dns/dns-client.js';
import type { Passwords } from '../accounts/passwords/password.js';
import type { AuditLog } from '../audit/audit.js';
import { createGuessLimit } from '../http/limits/guess-limit.js';
import { createRateLimitStore } from '../http/limits/rate-limit-store.js';
import type { Pager } from '../http/paging.js';
import { createReferenceLock } from '../references/lock.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { Ids } from '../storage/ids.js';
import type { LeasedPeriodicTaskNeeds } from '../storage/leases/leased-periodic-task.js';
import type { SecretBox } from '../storage/secret-box.js';
import type { RunTransaction } from '../storage/transaction.js';
import type { PercentUp } from './compile/days.js';
import { createExportJob, type ExportJob } from './export/job.js';
import type { PageSources } from './facts/facts.js';
import { createHostIndex } from './hosts/host-index.js';
import { createHostJob, type HostJob } from './hosts/job.js';
import { createReadHostRecords } from './hosts/records.js';
import type { Existing } from './needs.js';
import { statusPagesQuota } from './quota.js';
import { createStatusPageRoutes } from './routes.js';
import { allowedMount } from './serve/allowed-mount.js';
import { createGate, type GateNeeds } from './serve/gate.js';
import { hostMount } from './serve/host-mount.js';
import { statusMount } from './serve/mount.js';
import { createCompileNow, createPublicPages } from './serve/pages.js';
import { statusPageReferences } from './settings/references.js';
import { createStatusPageStore } from './store.js';
import { createPageIncidentRoutes } from './updates/routes.js';
import { createPageIncidentStore } from './updates/store.js';

interface StatusPagesNeeds extends LeasedPeriodicTaskNeeds {
  db: Db;
  sources: PageSources;
  percentUp: PercentUp;
  existingMonitors: Existing;
  existingServers: Existing;
  passwords: Pick<Passwords, 'hash' | 'verify'>;
  box: Pick<SecretBox, 'fingerprint'>;
  signedIn: GateNeeds['signedIn'];
  entersWorkspace: GateNeeds['entersWorkspace'];
  audit: AuditLog;
  pager: Pager;
  ids: Ids;
  /** Without a slash at the end. */
  publicUrl: string;
  /** Resolvers of lookups; empty: those of the system. */
  dnsServers: readonly string[];
  runTransaction: RunTransaction;
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
  idPrefixes: ['stp', 'cmp', 'spi', 'upd'],
  scopes: ['status_pages:read', 'status_pages:write'],
  auditActions: [
    'status_page.created',
    'status_page.updated',
    'status_page.deleted',
    'status_page.incident_created',
    'status_page.incident_updated',
    'status_page.incident_deleted',
    'status_page.update_posted',
  ],
  open(all) {
    const { db, pager } = all;
    const store = createStatusPageStore(db);
    const rates = createRateLimitStore(db);
    const guesses = createGuessLimit({ ...all, what: 'status page password', store: rates });
    const incidents = createPageIncidentStore(db);
    const needs = { ...all, store, incidents, referenceLock: createReferenceLock(db) };
    const serving = {
      publicUrl: all.publicUrl,
      pages: createPublicPages(needs),
      gate: createGate({ ...needs, guesses }),
      hosts: createHostIndex(needs),
    };
    const readRecords = createReadHostRecords(
      createDnsClient({ servers: all.dnsServers, clock: all.clock }),
      all.publicUrl,
    );
    const hostJob = createHostJob({ ...needs, readRecords });
    const { exportDir } = all;
    const exportJob =
      exportDir === null ? null : createExportJob({ ...needs, exportDir, compileNow: createCompileNow(needs) });
    return {
      hostJob,
      exportJob,
      routes: [...createStatusPageRoutes(needs, pager), ...createPageIncidentRoutes(needs, pager)],
      mounts: [hostMount(serving), statusMount(serving), allowedMount(serving)],
      jobs: [guesses, hostJob, ...(exportJob === null ? [] : [exportJob])],
      quotas: [statusPagesQuota(store)],
      referenceHolders: statusPageReferences(needs),
      async ensureIndexes() {
        await Promise.all([store.ensureIndexes(), incidents.ensureIndexes()]);
      },
    };
  },
};
