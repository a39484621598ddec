import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { PLANS, type PlanName } from '../../accounts/plans.js';
import { idFloor } from '../../storage/ids.js';
import type { LeaseStore } from '../../storage/lease-store.js';
import { createLeasedJob, type LeasedJob } from '../../storage/leased-job.js';
import type { RunTransaction } from '../../storage/transaction.js';
import type { AuditStore } from '../store.js';

const FIRST_RUN_MS = 30_000;
/** Lists and exports show nothing older than the plan keeps, so that a late deletion is not seen. */
const PERIOD_MS = 3_600_000;
const LEASE = 'audit-retention';
const LEASE_MS = 60_000;
/** In one transaction, which holds up the sealer of that workspace for as long as it takes. */
const ENTRIES_MAX = 1_000;

/** A look deletes what is too old now, and says how much. A stop waits for the batch under way. */
export type AuditRetention = LeasedJob<number>;

/**
 * Deletes sealed entries that a workspace's plan no longer keeps, from the beginning of its chain on. Each batch is
 * one transaction that also notes where the chain begins afterwards: a kill between two batches leaves a whole chain.
 * The lease saves work; two at once would meet at the note and take turns.
 */
export function createAuditRetention(parts: {
  store: Pick<AuditStore, 'chained' | 'trim'>;
  plans: { plans(workspaceIds: readonly string[]): Promise<ReadonlyMap<string, PlanName>> };
  leases: LeaseStore;
  runTransaction: RunTransaction;
  clock: Clock;
  logger: Logger;
  /** Names this process in the lease. */
  owner: string;
}): AuditRetention {
  const { store, plans, runTransaction, clock, logger } = parts;
  /** The plan is asked for before each batch: a workspace that moves to a larger one keeps what is still there. */
  async function trimSome(workspaceId: string): Promise<number> {
    const plan = (await plans.plans([workspaceId])).get(workspaceId);
    if (plan === undefined) return 0;
    const beforeId = idFloor('evt', clock.now() - PLANS[plan].auditSeconds * 1_000);
    return runTransaction((tx) => store.trim(tx, workspaceId, beforeId, ENTRIES_MAX));
  }

  return createLeasedJob(parts, {
    name: LEASE,
    firstMs: FIRST_RUN_MS,
    periodMs: PERIOD_MS,
    leaseMs: LEASE_MS,
    failure: 'old audit entries could not be deleted; trying again later',
    async work(holds) {
      let deleted = 0;
      for (const workspaceId of await store.chained()) {
        try {
          let batch = ENTRIES_MAX;
          while (batch === ENTRIES_MAX && (await holds())) {
            batch = await trimSome(workspaceId);
            deleted += batch;
          }
        } catch (err) {
          // One workspace must not keep the others from it.
          logger.warn({ err, workspace: workspaceId }, 'old audit entries could not be deleted; trying again later');
        }
        if (!(await holds())) break;
      }
      if (deleted > 0) logger.info({ deleted }, 'old audit entries deleted');
      return deleted;
    },
  });
}
