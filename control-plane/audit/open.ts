import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import type { Pager } from '../http/paging.js';
import { ACCESS_REFUSED } from '../http/refusals.js';
import type { WorkspacePlans } from '../plans/plans.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { Cursors } from '../storage/cursor.js';
import type { LeaseStore } from '../storage/leases/lease-store.js';
import type { RunTransaction } from '../storage/transaction.js';
import type { AuditAction, AuditLog } from './audit.js';
import { createAuditSealer } from './chain/sealer.js';
import { PART_ENTRIES_MAX, VERIFIED_ENTRIES, verificationRoute } from './chain/verification-route.js';
import { createAuditRetention } from './retention/job.js';
import { createAuditRoutes } from './routes.js';
import type { AuditStore } from './store.js';

interface AuditNeeds {
  auditStore: AuditStore;
  audit: AuditLog;
  /** Of all slices. */
  actions: readonly AuditAction[];
  plans: WorkspacePlans;
  /** Of tasks. */
  runTransaction: RunTransaction;
  runRequestTransaction: RunTransaction;
  leases: LeaseStore;
  /** Names this process in leases. */
  owner: string;
  cursors: Cursors;
  pager: Pager;
  clock: Clock;
  random: Random;
  logger: Logger;
}

/** The audit log: entries are sealed into a hash chain, read, exported and deleted when the plan no longer keeps them. */
export const auditSlice: Slice<'auditLog', AuditNeeds, OpenedSlice> = {
  name: 'auditLog',
  idPrefixes: ['evt'],
  scopes: ['audit:read'],
  auditActions: [
    'audit.chain_broken',
    // Written by every slice that connects Picket to another system, or gives one a credential.
    ...(['integration.connected', 'integration.disconnected', 'integration.credential_rotated'] as const),
    ...(['integration.updated', 'integration.change_refused', 'audit.exported', ACCESS_REFUSED] as const),
  ],
  open(needs) {
    const shared = { ...needs, store: needs.auditStore };
    return {
      routes: [
        ...createAuditRoutes({ ...shared, runTransaction: needs.runRequestTransaction }),
        verificationRoute({
          ...{ ...shared, runTransaction: needs.runRequestTransaction },
          ...{ partEntriesMax: PART_ENTRIES_MAX, budget: VERIFIED_ENTRIES },
        }),
      ],
      jobs: [createAuditSealer(shared), createAuditRetention(shared)],
    };
  },
};
