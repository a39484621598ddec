import type { Clock, Timer } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { PLANS, type PlanName } from '../accounts/plans.js';
import { idFloor } from '../storage/ids.js';
import type { LeaseStore } from '../storage/lease-store.js';
import type { RunTransaction } from '../storage/transaction.js';
import type { AuditStore } from './store.js';

const FIRST_RUN_MS = 30_000;
/** Lists and exports show nothing older than the plan keeps, so that a late deletion is not seen. */
const PERIOD_MS = 3_600_000;
const LEASE = 'audit-retention';
const LEASE_MS = 60_000;
/** In one transaction, which holds up the sealer of that workspace for as long as it takes. */
const ENTRIES_MAX = 1_000;

export interface AuditRetention {
  start(): void;
  /** Deletes what is too old now, and says how much; null when another control plane holds the lease. */
  runOnce(): Promise<number | null>;
  /** Resolves when a batch under way is done. */
  stop(): Promise<void>;
}

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
  const { store, plans, leases, runTransaction, clock, logger, owner } = parts;
  let timers: Timer[] = [];
  let running: Promise<void> | null = null;
  let stopping = false;

  /** The plan is asked for before each batch: a workspace that moves to a larger one keeps what is still there. */
  async function trimSome(workspaceId: string): Promise<number> {
    const plan = (await plans.plans([workspaceId])).get(workspaceId);
    if (plan === undefined) return 0;
    const beforeId = idFloor('evt', clock.now() - PLANS[plan].auditSeconds * 1_000);
    return runTransaction((tx) => store.trim(tx, workspaceId, beforeId, ENTRIES_MAX));
  }

  async function runOnce(): Promise<number | null> {
    let heldMs = clock.monotonic();
    if ((await leases.acquire(LEASE, owner, LEASE_MS)) === null) return null;
    async function holds(): Promise<boolean> {
      if (stopping) return false;
      if (clock.monotonic() - heldMs < LEASE_MS / 4) return true;
      heldMs = clock.monotonic();
      return (await leases.acquire(LEASE, owner, LEASE_MS)) !== null;
    }
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
    return deleted;
  }

  function tick(): void {
    if (stopping) return;
    running ??= runOnce()
      .then(
        (deleted) => deleted !== null && deleted > 0 && logger.info({ deleted }, 'old audit entries deleted'),
        (err) => logger.warn({ err }, 'old audit entries could not be deleted; trying again later'),
      )
      .then(() => {
        running = null;
      });
  }

  return {
    runOnce,
    start() {
      timers = [clock.after(FIRST_RUN_MS, tick), clock.every(PERIOD_MS, tick)];
    },
    async stop() {
      stopping = true;
      for (const timer of timers) timer.cancel();
      await running;
      await leases.release(LEASE, owner);
    },
  };
}
