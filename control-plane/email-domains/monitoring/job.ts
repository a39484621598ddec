import { inParallel } from '../../../kernel/concurrency/in-parallel.js';
import {
  createLeasedPeriodicTask,
  type LeasedPeriodicTask,
  type LeasedPeriodicTaskNeeds,
} from '../../storage/leases/leased-periodic-task.js';
import type { EmailDomainStore } from '../store.js';
import type { CheckAndSave } from './check-and-save.js';

const PERIOD_MS = 2_000;
const LEASE = 'email-domains';
/** Longer than one check can take. If the checking control plane crashes, another one takes over after this time. */
const LEASE_MS = 90_000;
/** Each batch has at most one domain of a workspace, so that one with slow mail servers leaves room for the others. */
const BATCH_MAX = 50;
/** Domains checked at the same time, with some 40 DNS queries each: about what a resolver answers without queueing. */
const PARALLEL = 8;

/** Checks the domains that are due. Each run resolves to the number of checked domains. */
export type DomainJob = LeasedPeriodicTask<number>;

/** Runs on one control plane at a time. If two run it for a moment, `checks` lets only one of them save a result. */
export function createDomainJob(
  needs: LeasedPeriodicTaskNeeds & { store: Pick<EmailDomainStore, 'due'>; checkAndSave: CheckAndSave },
): DomainJob {
  const { store, checkAndSave, clock, logger } = needs;
  return createLeasedPeriodicTask(needs, {
    name: LEASE,
    periodMs: PERIOD_MS,
    leaseMs: LEASE_MS,
    failure: 'checking e-mail domains failed, retrying',
    async work({ stillHeld, stopping }) {
      let checked = 0;
      for (;;) {
        const due = await store.due(clock.now(), BATCH_MAX);
        let failed = 0;
        await inParallel(due, PARALLEL, async (domain) => {
          if (!(await stillHeld())) return;
          try {
            if (await checkAndSave(domain, stopping)) checked++;
          } catch (err) {
            // A failed domain must not stop the others.
            failed++;
            logger.warn(
              { err, domain: domain._id },
              'saving the check of an e-mail domain failed, repeating the check',
            );
          }
        });
        // Failed domains are still due. They wait for the next run, so that there is a pause between attempts.
        if (due.length === 0 || failed > 0 || stopping.aborted || !(await stillHeld())) return checked;
      }
    },
  });
}
