import type { TaskLease } from '../../storage/leases/leased-periodic-task.js';
import { UNDO_MS } from '../kept.js';
import type { BulkNeeds } from '../needs.js';

const CLEAN_EVERY_MS = 10_000;
/** Then the work on changes continues. What is left is deleted by the next run. */
const CLEAN_MS_MAX = 2_000;
const JOBS_AT_ONCE_MAX = 50;

/** Returns the function that deletes what nobody can undo any more. It looks for it every ten seconds. */
export function createCleaner({ store, clock }: Pick<BulkNeeds, 'store' | 'clock'>) {
  let cleanedMs = Number.NEGATIVE_INFINITY;
  return async (lease: TaskLease): Promise<void> => {
    const startedMs = clock.monotonic();
    if (startedMs - cleanedMs < CLEAN_EVERY_MS) return;
    for (;;) {
      const nowMs = clock.now();
      const jobs = await store.obsolete({ nowMs, finishedBeforeMs: nowMs - UNDO_MS }, JOBS_AT_ONCE_MAX);
      for (const job of jobs) {
        if (clock.monotonic() - startedMs > CLEAN_MS_MAX || !(await lease.stillHeld())) return;
        await store.removeItems(job);
      }
      if (jobs.length < JOBS_AT_ONCE_MAX) break;
    }
    cleanedMs = startedMs;
  };
}
