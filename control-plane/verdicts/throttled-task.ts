import type { Clock, Timer } from '../../kernel/clock.js';
import { createMissedTime } from '../../kernel/stalls/missed-time.js';

/** After a run, the next one waits for this many times its duration, so that slow runs do not use all the time. */
const PAUSE_FACTOR = 4;

/** The longest of these pauses: one slow run must not put off everything that only time or the next run notices. */
const PAUSE_MS_MAX = 5_000;

/**
 * After a stall of this process, the next run waits as long as the stall took, but not longer than this: results that
 * arrived during the stall are read and stored first, and nodes that gave up reconnect.
 */
const CATCH_UP_MS_MAX = 30_000;

/** A periodic task that slows down when its runs are slow. */
interface ThrottledTask {
  start(): void;
  /** Starts no more runs; resolves when the current one has ended. */
  stop(): Promise<void>;
}

/**
 * Runs `work` each `periodMs`, one run at a time. Errors go to `failed`, and the next run follows without a pause: a run
 * that failed mostly waited, and what it was to do is still undone.
 */
export function createThrottledTask(
  clock: Pick<Clock, 'every' | 'monotonic' | 'now'>,
  periodMs: number,
  work: () => Promise<unknown>,
  failed: (error: unknown) => void,
): ThrottledTask {
  let timer: Timer | null = null;
  let running: Promise<void> | null = null;
  let pauseUntil = 0;

  async function run(): Promise<void> {
    const startedAt = clock.monotonic();
    try {
      await work();
    } catch (error) {
      failed(error);
      return;
    }
    const endedAt = clock.monotonic();
    pauseUntil = endedAt + Math.min((endedAt - startedAt) * PAUSE_FACTOR, PAUSE_MS_MAX);
  }

  return {
    start() {
      const missedTime = createMissedTime(clock, periodMs);
      timer = clock.every(periodMs, () => {
        const missedMs = missedTime();
        if (missedMs > 0) pauseUntil = Math.max(pauseUntil, clock.monotonic() + Math.min(missedMs, CATCH_UP_MS_MAX));
        if (running !== null || clock.monotonic() < pauseUntil) return;
        running = run().finally(() => {
          running = null;
        });
      });
    },
    async stop() {
      timer?.cancel();
      await running;
    },
  };
}
