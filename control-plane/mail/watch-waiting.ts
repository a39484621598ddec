import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { createPeriodicTask, type PeriodicTask } from '../../kernel/periodic-task.js';
import type { MailCountsStore } from './counts-store.js';
import type { MailMetrics } from './metrics.js';

const PERIOD_MS = 15_000;
/** So that an outage of a mail server does not make each reading slower. */
const COUNTED_MAX = 10_000;

/** Measures how many mails wait and for how long, which no counter of sent mails shows while none is sent. */
export function createWatchWaiting(needs: {
  counts: Pick<MailCountsStore, 'waiting'>;
  metrics: Pick<MailMetrics, 'waiting'>;
  clock: Clock;
  logger: Logger;
}): PeriodicTask {
  const { counts, metrics, clock, logger } = needs;
  return createPeriodicTask({
    clock,
    periodMs: PERIOD_MS,
    firstMs: 0,
    async run() {
      const { mails, oldestMs } = await counts.waiting(COUNTED_MAX);
      metrics.waiting({ mails, oldestS: oldestMs === null ? 0 : Math.max(0, clock.now() - oldestMs) / 1_000 });
    },
    onFailure(err) {
      metrics.waiting(null);
      logger.debug({ err }, `failed to count the e-mails that wait, retrying in ${PERIOD_MS / 1_000} s`);
    },
  });
}
