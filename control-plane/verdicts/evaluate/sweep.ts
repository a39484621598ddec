import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { waitAtMost } from '../../../kernel/wait-at-most.js';
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

/**
 * A sweep does not wait longer for the monitors of a page: one that a dead process left locked keeps its own evaluation
 * waiting, and that of no other monitor.
 */
const WAIT_MS_MAX = 3_000;

/**
 * The next page is read when fewer than this many are left, which is what is evaluated at a time: what arrives meanwhile
 * must not wait for all monitors that need attention.
 */
const UNFINISHED_MAX = 100;

/** What a sweep leaves undone when the process ends is found again by the sweeps of others, or after the next start. */
const STOP_MS_MAX = 1_000;

export function createSweep(needs: {
  clock: Clock;
  logger: Logger;
  store: Pick<VerdictStore, 'needingAttention'>;
  evaluator: Evaluator;
}): Sweep {
  const { store, evaluator, clock, logger } = needs;
  let stopped = false;

  const unfinished = new Set<string>();
  const onRoom: (() => void)[] = [];

  async function evaluateOne(id: string): Promise<void> {
    unfinished.add(id);
    try {
      await evaluator.evaluate([id]);
    } finally {
      unfinished.delete(id);
      if (unfinished.size < UNFINISHED_MAX) for (const resolve of onRoom.splice(0)) resolve();
    }
  }

  /** A monitor that cannot be evaluated must not keep the sweep from the others. */
  async function evaluateAll(ids: readonly string[]): Promise<void> {
    const outcomes = await Promise.allSettled(ids.map(evaluateOne));
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
    const err: unknown = failed[0]?.reason;
    if (failed.length > 0)
      logger.error({ err, monitors: failed.length }, 'evaluation of monitors failed; the next sweep repeats it');
  }

  async function evaluate(ids: readonly string[]): Promise<void> {
    await waitAtMost(clock, WAIT_MS_MAX, evaluateAll(ids.filter((id) => !unfinished.has(id))));
    if (unfinished.size >= UNFINISHED_MAX) await new Promise<void>((resolve) => onRoom.push(resolve));
  }

  async function run(): Promise<number> {
    let due = 0;
    let after: string | null = null;
    for (;;) {
      const page = await store.needingAttention(after, PAGE_MONITORS);
      const ids = page.filter((monitor) => evaluator.isDue(monitor)).map((monitor) => monitor._id);
      due += ids.length;
      await evaluate(ids);
      after = page.at(-1)?._id ?? null;
      if (page.length < PAGE_MONITORS || stopped) return due;
    }
  }

  const task = createThrottledTask(clock, PERIOD_MS, run, (error) =>
    logger.error({ err: error }, 'sweep of monitors failed; the next one repeats it'),
  );
  return {
    run,
    start: task.start,
    async stop() {
      stopped = true;
      await waitAtMost(clock, STOP_MS_MAX, task.stop());
    },
  };
}
