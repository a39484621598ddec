import {
  createLeasedPeriodicTask,
  type LeasedPeriodicTask,
  type LeasedPeriodicTaskNeeds,
  type TaskLease,
} from '../../storage/leases/leased-periodic-task.js';
import type { BlacklistMonitorDocument } from '../documents.js';
import type { BlacklistMonitorStore } from '../store.js';
import type { CheckMonitor } from './check-monitor.js';

const PERIOD_MS = 2_000;
const LEASE = 'blacklist-monitors';
/** If the checking control plane crashes, another one takes over after this time. */
const LEASE_MS = 15_000;
const BATCH_MAX = 200;
/** Monitors checked at the same time, with a dozen DNS queries each: about what a resolver answers without queueing. */
const WORKERS = 20;

/** Checks the monitors that are due. Each run resolves to the number of checked monitors. */
export type MonitorJob = LeasedPeriodicTask<number>;

/** Runs on one control plane at a time. If two run it for a moment, `checks` lets only one of them save a result. */
export function createMonitorJob(
  needs: LeasedPeriodicTaskNeeds & { store: Pick<BlacklistMonitorStore, 'due'>; checkMonitor: CheckMonitor },
): MonitorJob {
  const { store, checkMonitor, clock, logger } = needs;

  async function checkAll(due: BlacklistMonitorDocument[], { stillHeld, stopping }: TaskLease) {
    const waiting = due[Symbol.iterator]();
    const done = { checked: 0, failed: 0 };
    const worker = async () => {
      for (const monitor of waiting) {
        if (!(await stillHeld())) return;
        try {
          if (await checkMonitor(monitor, stopping)) done.checked++;
        } catch (err) {
          // A failed monitor must not stop the others.
          done.failed++;
          logger.warn({ err, monitor: monitor._id }, 'saving a blacklist check failed, repeating the check');
        }
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, worker));
    return done;
  }

  return createLeasedPeriodicTask(needs, {
    name: LEASE,
    periodMs: PERIOD_MS,
    leaseMs: LEASE_MS,
    failure: 'checking blacklist monitors failed, retrying',
    async work(lease) {
      let checked = 0;
      for (;;) {
        const due = await store.due(clock.now(), BATCH_MAX);
        const done = await checkAll(due, lease);
        checked += done.checked;
        // Failed monitors are still due. They wait for the next run, so that there is a pause between attempts.
        if (due.length < BATCH_MAX || done.failed > 0 || !(await lease.stillHeld())) return checked;
      }
    },
  });
}
