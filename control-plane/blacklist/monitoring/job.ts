import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { LeaseStore } from '../../storage/lease-store.js';
import { createLeasedJob, type LeasedJob } from '../../storage/leased-job.js';
import type { BlacklistMonitorDocument } from '../documents.js';
import type { BlacklistMonitorStore } from '../store.js';
import type { CheckMonitor } from './check-monitor.js';

const PERIOD_MS = 2_000;
const LEASE = 'blacklist-monitors';
/** Another control plane goes on this long after the one that checks has died. */
const LEASE_MS = 15_000;
const BATCH_MAX = 200;
/** Monitors under way at once: a dozen look-ups each, about as many as a resolver takes without queueing. */
const LANES = 20;

/** Checks the monitors that are due. A look says how many it checked. */
export type MonitorJob = LeasedJob<number>;

/** One control plane at a time; two that both believe it meet at the monitor's count of checks, and one of them writes. */
export function createMonitorJob(parts: {
  store: Pick<BlacklistMonitorStore, 'due'>;
  checkMonitor: CheckMonitor;
  leases: LeaseStore;
  owner: string;
  clock: Clock;
  logger: Logger;
}): MonitorJob {
  const { store, checkMonitor, clock, logger } = parts;
  const stopping = new AbortController();

  async function checkAll(due: BlacklistMonitorDocument[], holds: () => Promise<boolean>) {
    const waiting = due[Symbol.iterator]();
    const done = { checked: 0, failed: 0 };
    const lane = async () => {
      for (const monitor of waiting) {
        if (!(await holds())) return;
        try {
          if (await checkMonitor(monitor, stopping.signal)) done.checked++;
        } catch (err) {
          // One that cannot be noted must not keep the others from it.
          done.failed++;
          logger.warn({ err, monitor: monitor._id }, 'a blacklist check could not be noted; it is done again');
        }
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    return done;
  }

  const job = createLeasedJob(parts, {
    name: LEASE,
    periodMs: PERIOD_MS,
    leaseMs: LEASE_MS,
    failure: 'blacklist monitors cannot be checked now; trying again',
    async work(holds) {
      let checked = 0;
      for (;;) {
        const due = await store.due(clock.now(), BATCH_MAX);
        const done = await checkAll(due, holds);
        checked += done.checked;
        // What failed is due still: it waits for the next look instead of being tried without a pause.
        if (due.length < BATCH_MAX || done.failed > 0 || !(await holds())) return checked;
      }
    },
  });
  return {
    ...job,
    async stop() {
      stopping.abort();
      await job.stop();
    },
  };
}
