import type { Clock, Timer } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Evaluator } from './evaluate.js';
import type { VerdictStore } from './store.js';

/**
 * Looks each second at the monitors that are not clean: for what comes by time alone (votes that go stale, a grace
 * or a window that ends, a second round that is due), for good results of failing monitors, and for what a kill or
 * an error left undone. Any number of control planes may sweep at the same time.
 */
export interface Sweep {
  /** One look at all of them; resolves with how many needed something. */
  run(): Promise<number>;
  start(): void;
  stop(): Promise<void>;
}

const PERIOD_MS = 1_000;
const PAGE_MONITORS = 500;

/** A sweep that took long is followed by a pause of so many times its duration, so that it never fills the process. */
const PAUSE_SHARE = 4;

export function createSweep(deps: {
  clock: Clock;
  logger: Logger;
  store: Pick<VerdictStore, 'needingAttention'>;
  evaluator: Evaluator;
}): Sweep {
  const { clock, store, evaluator } = deps;
  let timer: Timer | null = null;
  let running: Promise<unknown> | null = null;
  let pauseUntil = 0;
  let stopped = false;

  async function run(): Promise<number> {
    let due = 0;
    let after: string | null = null;
    for (;;) {
      const page = await store.needingAttention(after, PAGE_MONITORS);
      const ids = page.filter((monitor) => evaluator.isDue(monitor)).map((monitor) => monitor._id);
      due += ids.length;
      // One monitor that cannot be judged must not keep the sweep from those after it.
      await evaluator.evaluate(ids).catch((error: unknown) => {
        deps.logger.error(
          { err: error, monitors: ids.length },
          'monitors could not be judged; the next sweep tries again',
        );
      });
      after = page.at(-1)?._id ?? null;
      if (page.length < PAGE_MONITORS || stopped) return due;
    }
  }

  async function guardedRun(): Promise<void> {
    const startedAt = clock.monotonic();
    try {
      await run();
    } catch (error) {
      deps.logger.error({ err: error }, 'sweep of monitors failed; the next one tries again');
    }
    pauseUntil = clock.monotonic() + (clock.monotonic() - startedAt) * PAUSE_SHARE;
  }

  return {
    run,
    start() {
      timer = clock.every(PERIOD_MS, () => {
        if (running !== null || clock.monotonic() < pauseUntil) return;
        running = guardedRun().finally(() => {
          running = null;
        });
      });
    },
    async stop() {
      stopped = true;
      timer?.cancel();
      await running;
    },
  };
}
