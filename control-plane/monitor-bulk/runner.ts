import {
  createLeasedPeriodicTask,
  type LeasedPeriodicTask,
  type LeasedPeriodicTaskNeeds,
  type TaskLease,
} from '../storage/leases/leased-periodic-task.js';
import type { BulkNeeds } from './needs.js';
import { writePart } from './part.js';
import { UNDO_MS } from './start.js';

const PERIOD_MS = 1_000;
/** If the control plane crashes, another one continues after this time. */
const LEASE_MS = 5_000;
/** Jobs of one run. They take turns, so that a large one does not hold up the others. */
const JOBS_MAX = 50;
/**
 * Monitors of one transaction. Results are written to monitors all the time, and each conflicts with the transaction:
 * a longer one would have to be repeated too often.
 */
const PART_MONITORS = 100;
const CLEAN_EVERY_MS = 60_000;
const CLEANED_JOBS_MAX = 20;

/** Writes what remains of accepted jobs, and deletes images that are no longer needed. Resolves to the parts written. */
export function createBulkRunner(needs: BulkNeeds & LeasedPeriodicTaskNeeds): LeasedPeriodicTask<number> {
  const { store, clock } = needs;
  let running: Promise<number> | null = null;
  let cleanedMs = Number.NEGATIVE_INFINITY;

  async function work(lease: TaskLease): Promise<number> {
    let written = 0;
    for (let open = await store.open(JOBS_MAX); open.length > 0; ) {
      const left: typeof open = [];
      for (const job of open) {
        if (!(await lease.stillHeld())) return written;
        if (await nextPart(needs, job)) left.push(job);
        written += 1;
      }
      open = left;
    }
    if (clock.monotonic() - cleanedMs >= CLEAN_EVERY_MS) {
      cleanedMs = clock.monotonic();
      for (const job of await store.obsolete(clock.now() - UNDO_MS, CLEANED_JOBS_MAX)) await store.removeItems(job);
    }
    return written;
  }

  return createLeasedPeriodicTask(needs, {
    name: 'monitor-bulk',
    periodMs: PERIOD_MS,
    leaseMs: LEASE_MS,
    failure: 'applying bulk changes of monitors failed, retrying',
    failureLevel: 'error',
    work(lease) {
      // A request wakes the task beside its ticks, and two runs would only conflict.
      running ??= work(lease).finally(() => {
        running = null;
      });
      return running;
    },
  });
}

/** Resolves to whether the job has parts left that can be written now. */
async function nextPart(
  needs: BulkNeeds,
  { _id: jobId, workspace_id: workspaceId }: { _id: string; workspace_id: string },
): Promise<boolean> {
  const { standingOf, logger } = needs;
  // The jobs of a stopped workspace wait. Those of a deleted one are deleted with it.
  const standing = await standingOf(workspaceId);
  if (standing === null || standing.stopped) return false;
  try {
    return await writePart(needs, { workspaceId, jobId, plan: standing.plan }, PART_MONITORS);
  } catch (err) {
    // A failure of one job must not stop the others.
    logger.error({ err, workspace: workspaceId, job: jobId }, 'applying a part of a bulk change failed, retrying');
    return false;
  }
}
