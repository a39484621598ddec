import { PLANS, type PlanName } from '../../plans/plans.js';
import { idFloor } from '../../storage/ids.js';
import {
  createLeasedPeriodicTask,
  type LeasedPeriodicTask,
  type LeasedPeriodicTaskNeeds,
} from '../../storage/leases/leased-periodic-task.js';
import type { RunTransaction } from '../../storage/transaction.js';
import type { AuditStore } from '../store.js';

const FIRST_RUN_MS = 30_000;
/** Lists and exports never show entries older than the plan keeps, so a late deletion is not visible. */
const PERIOD_MS = 3_600_000;
const LEASE = 'audit-retention';
const LEASE_MS = 60_000;
/** Deleted in one transaction, which blocks the sealer for that workspace until it commits. */
const ENTRIES_MAX = 1_000;

/**
 * Deletes the sealed entries that a workspace's plan no longer keeps, from the start of its chain. Each batch is one
 * transaction that also records where the chain starts afterwards, so a kill between two batches leaves a valid chain.
 * Each run resolves to the number of deleted entries. The lease only saves work: two concurrent runs conflict on that
 * record, and one of them runs again.
 */
export function createAuditRetention(
  needs: LeasedPeriodicTaskNeeds & {
    store: Pick<AuditStore, 'chained' | 'trim'>;
    plans: { plans(workspaceIds: readonly string[]): Promise<ReadonlyMap<string, PlanName>> };
    runTransaction: RunTransaction;
  },
): LeasedPeriodicTask<number> {
  const { store, plans, runTransaction, clock, logger } = needs;
  /** Reads the plan before each batch: a workspace that moves to a larger plan keeps the remaining entries. */
  async function trimSome(workspaceId: string): Promise<number> {
    const plan = (await plans.plans([workspaceId])).get(workspaceId);
    if (plan === undefined) return 0;
    const beforeId = idFloor('evt', clock.now() - PLANS[plan].auditSeconds * 1_000);
    return runTransaction((tx) => store.trim(tx, workspaceId, beforeId, ENTRIES_MAX));
  }

  return createLeasedPeriodicTask(needs, {
    name: LEASE,
    firstMs: FIRST_RUN_MS,
    periodMs: PERIOD_MS,
    leaseMs: LEASE_MS,
    failure: 'deleting old audit entries failed, retrying in an hour',
    async work({ stillHeld }) {
      let deleted = 0;
      for (const workspaceId of await store.chained()) {
        try {
          let batch = ENTRIES_MAX;
          while (batch === ENTRIES_MAX && (await stillHeld())) {
            batch = await trimSome(workspaceId);
            deleted += batch;
          }
        } catch (err) {
          // A failure in one workspace must not stop the others.
          logger.warn(
            { err, workspace: workspaceId },
            'deleting the old audit entries of a workspace failed, retrying in an hour',
          );
        }
        if (!(await stillHeld())) break;
      }
      if (deleted > 0) logger.info({ deleted }, 'old audit entries deleted');
      return deleted;
    },
  });
}
