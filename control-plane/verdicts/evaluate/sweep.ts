import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { VerdictStore } from '../store.js';
import { createThrottledTask } from '../throttled-task.js';
import type { Evaluator } from '../verdicts.js';

/**
 * Evaluates each second the monitors that need attention: for changes that only time causes (votes become stale, a
 * grace period or a maintenance ends, a second round is due), for good results of failing monitors, and for work that a
 * crash or an error left undone. Several control planes may sweep at the same time.
 */
export interface Sweep {
  /** Sweeps once; resolves to the number of monitors that were due. */
  run(): Promise<number>;
  start(): void;
  stop(): Promise<void>;
}

const PERIOD_MS = 1_000;
const PAGE_MONITORS = 500;

export function createSweep(needs: {
  clock: Clock;
  logger: Logger;
  store: Pick<VerdictStore, 'needingAttention'>;
  evaluator: Evaluator;
}): Sweep {
  const { store, evaluator, logger } = needs;
  let stopped = false;

  async function run(): Promise<number> {
    let due = 0;
    let after: string | null = null;
    for (;;) {
      const page = await store.needingAttention(after, PAGE_MONITORS);
      const ids = page.filter((monitor) => evaluator.isDue(monitor)).map((monitor) => monitor._id);
      due += ids.length;
      // A monitor that cannot be evaluated must not keep the sweep from the ones after it.
      await evaluator.evaluate(ids).catch((error: unknown) => {
        logger.error({ err: error, monitors: ids.length }, 'evaluation of monitors failed; the next sweep repeats it');
      });
      after = page.at(-1)?._id ?? null;
      if (page.length < PAGE_MONITORS || stopped) return due;
    }
  }

  const task = createThrottledTask(needs.clock, PERIOD_MS, run, (error) =>
    logger.error({ err: error }, 'sweep of monitors failed; the next one repeats it'),
  );
  return {
    run,
    start: task.start,
    async stop() {
      stopped = true;
      await task.stop();
    },
  };
}
