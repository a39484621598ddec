import {
  createLeasedPeriodicTask,
  type LeasedPeriodicTask,
  type LeasedPeriodicTaskNeeds,
  type TaskLease,
} from '../../storage/leases/leased-periodic-task.js';
import type { BulkNeeds } from '../needs.js';
import type { OpenBulkJob } from '../store.js';
import { createCleaner } from './clean.js';
import { leaveRest, writePart } from './part.js';

const PERIOD_MS = 1_000;
/** If the control plane crashes, another one continues after this time. */
const LEASE_MS = 5_000;
/** Jobs that are in memory at a time. */
const JOBS_AT_ONCE_MAX = 200;
/**
 * Monitors of one transaction. Results are written to monitors all the time, and each conflicts with the transaction:
 * a longer one would have to be repeated too often.
 */
const PART_MONITORS = 100;
/** A part that cannot be written is tried again after 2 s, 4 s and so on, at most a minute, and given up after 11 minutes. */
const RETRY_MS_MAX = 60_000;
const FAILURES_MAX = 15;

/** Writes what remains of accepted jobs, and deletes images that are no longer needed. Resolves to the parts written. */
export function createBulkRunner(needs: BulkNeeds & LeasedPeriodicTaskNeeds): LeasedPeriodicTask<number> {
  const { store } = needs;
  const clean = createCleaner(needs);
  let running: Promise<number> | null = null;

  /**
   * Writes one part of each job, thus of each workspace, those included that were accepted since the last round. Resolves
   * to how many it wrote.
   */
  async function round(lease: TaskLease): Promise<number> {
    let written = 0;
    for (let after = ''; ; ) {
      const open = await store.open(after, JOBS_AT_ONCE_MAX);
      for (const job of open) {
        if (!(await lease.stillHeld())) return written;
        if (await nextPart(needs, job)) written += 1;
      }
      const last = open.at(-1);
      if (last === undefined || open.length < JOBS_AT_ONCE_MAX) return written;
      after = last._id;
    }
  }

  async function work(lease: TaskLease): Promise<number> {
    let written = 0;
    for (;;) {
      const parts = await round(lease);
      written += parts;
      await clean(lease);
      // What is left waits, for a workspace that is stopped or for the next tick after a failure.
      if (parts === 0 || !(await lease.stillHeld())) return written;
    }
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

/** Resolves to whether it wrote a part. */
async function nextPart(needs: BulkNeeds, job: OpenBulkJob): Promise<boolean> {
  const { standingOf, clock, logger } = needs;
  const of = { workspaceId: job.workspace_id, jobId: job._id };
  if ((job.retry_at_ms ?? 0) > clock.now()) return false;
  // The jobs of a stopped workspace wait. Those of a deleted one are deleted with it.
  const standing = await standingOf(of.workspaceId);
  if (standing === null || standing.stopped) return false;
  try {
    await writePart(needs, { ...of, plan: standing.plan }, PART_MONITORS);
    return true;
  } catch (err) {
    // A failure of one job must not stop the others.
    logger.error(
      { err, workspace: of.workspaceId, job: of.jobId },
      'applying a part of a bulk change failed, retrying',
    );
    await noteFailure(needs, job);
    return false;
  }
}

/** While the database is unavailable nothing is noted, so no job is given up for that. */
async function noteFailure(needs: BulkNeeds, job: OpenBulkJob): Promise<void> {
  const { store, clock, logger } = needs;
  const of = { workspaceId: job.workspace_id, jobId: job._id };
  const failures = (job.failures ?? 0) + 1;
  try {
    if (failures < FAILURES_MAX) {
      const pauseMs = Math.min(1_000 * 2 ** failures, RETRY_MS_MAX);
      await store.noteFailure(job, failures, clock.now() + pauseMs);
      return;
    }
    await leaveRest(needs, of);
    logger.error({ workspace: of.workspaceId, job: of.jobId }, 'gave up the rest of a bulk change');
  } catch (err) {
    logger.error({ err, workspace: of.workspaceId, job: of.jobId }, 'noting the failure of a bulk change failed');
  }
}
