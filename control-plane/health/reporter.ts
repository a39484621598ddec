import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { createPeriodicTask } from '../../kernel/periodic-task.js';
import type { Job } from '../slice.js';
import type { ReportedNow } from './documents.js';
import type { ReportStore } from './store.js';

export const REPORT_MS = 5_000;

/** Stores every few seconds how this control plane is. */
export function createReporter(needs: {
  store: Pick<ReportStore, 'report' | 'leave'>;
  /** Names this process in leases. */
  owner: string;
  reportNow(): ReportedNow;
  clock: Clock;
  logger: Logger;
}): Job {
  const { store, owner, reportNow, clock, logger } = needs;
  const task = createPeriodicTask({
    clock,
    periodMs: REPORT_MS,
    firstMs: 0,
    run: () => store.report(owner, reportNow()),
    onFailure: (err) => logger.debug({ err }, 'failed to report how this control plane is, retrying'),
  });
  return {
    start: task.start,
    async stop() {
      await task.stop();
      await store.leave(owner).catch((err: unknown) => {
        logger.debug({ err }, 'failed to record that this control plane stops; it is shown as lost');
      });
    },
  };
}
