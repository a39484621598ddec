import { inParallel } from '../../../kernel/concurrency/in-parallel.js';
import {
  createLeasedPeriodicTask,
  type LeasedPeriodicTask,
  type LeasedPeriodicTaskNeeds,
} from '../../storage/leases/leased-periodic-task.js';
import { checkHost, type HostCheckNeeds } from './check.js';

const PERIOD_MS = 2_000;
const LEASE = 'status-page-hosts';
const LEASE_MS = 60_000;
const BATCH_MAX = 50;
/** Names checked at the same time, with two DNS queries each. */
const PARALLEL = 8;

/** Checks the host names that are due. Each run resolves to their number. */
export type HostJob = LeasedPeriodicTask<number>;

/** Runs on one control plane at a time. */
export function createHostJob(needs: HostCheckNeeds & LeasedPeriodicTaskNeeds): HostJob {
  const { store, clock, logger } = needs;
  return createLeasedPeriodicTask(needs, {
    name: LEASE,
    periodMs: PERIOD_MS,
    leaseMs: LEASE_MS,
    failure: 'checking host names of status pages failed, retrying',
    async work({ stillHeld }) {
      const nowMs = clock.now();
      const due = (await store.withDueHosts(nowMs, BATCH_MAX)).flatMap((page) =>
        (page.hosts ?? []).filter((host) => host.next_at_ms <= nowMs).map(({ name }) => ({ page, name })),
      );
      let checked = 0;
      await inParallel(due, PARALLEL, async ({ page, name }) => {
        if (!(await stillHeld())) return;
        try {
          await checkHost(needs, page, name);
          checked++;
        } catch (err) {
          // A name that fails must not stop the others.
          logger.warn({ err, page: page._id }, 'saving the check of a host name failed, repeating the check');
        }
      });
      return checked;
    },
  });
}
