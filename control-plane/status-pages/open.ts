import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Passwords } from '../accounts/passwords/password.js';
import type { AuditLog } from '../audit/audit.js';
import { createGuessLimit } from '../http/limits/guess-limit.js';
import { createRateLimitStore } from '../http/limits/rate-limit-store.js';
import type { Pager } from '../http/paging.js';
import { createReferenceLock } from '../references/lock.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { Ids } from '../storage/ids.js';
import type { SecretBox } from '../storage/secret-box.js';
import type { PercentUp } from './compile/days.js';
import type { PageSources } from './facts/facts.js';
import type { Existing } from './needs.js';
import { statusPagesQuota } from './quota.js';
import { createStatusPageRoutes } from './routes.js';
import { createGate, type GateNeeds } from './serve/gate.js';
import { statusMount } from './serve/mount.js';
import { createPublicPages } from './serve/pages.js';
import { statusPageReferences } from './settings/references.js';
import { createStatusPageStore } from './store.js';
import { createPageIncidentRoutes } from './updates/routes.js';
import { createPageIncidentStore } from './updates/store.js';

interface StatusPagesNeeds {
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
  clock: Clock;
  logger: Logger;
}

/** Status pages: what a workspace shows to the public of its monitors and servers. */
export const statusPagesSlice: Slice<'statusPages', StatusPagesNeeds, OpenedSlice> = {
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
    return {
      routes: [...createStatusPageRoutes(needs, pager), ...createPageIncidentRoutes(needs, pager)],
      mounts: [statusMount({ ...needs, pages: createPublicPages(needs), gate: createGate({ ...needs, guesses }) })],
      jobs: [guesses],
      quotas: [statusPagesQuota(store)],
      referenceHolders: statusPageReferences(needs),
      async ensureIndexes() {
        await Promise.all([store.ensureIndexes(), incidents.ensureIndexes()]);
      },
    };
  },
};
