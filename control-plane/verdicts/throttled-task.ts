import type { Clock, Timer } from '../../kernel/clock.js';

/** After a run, the next one waits for this many times its duration, so that slow runs do not use all the time. */
const PAUSE_FACTOR = 4;

/** A periodic task that slows down when its runs are slow. */
interface ThrottledTask {
  start(): void;
  /** Starts no more runs; resolves when the current one has ended. */
  stop(): Promise<void>;
}

/** Runs `work` each `periodMs`, one run at a time. Errors go to `failed`, and the next run follows. */
export function createThrottledTask(
  clock: Pick<Clock, 'every' | 'monotonic'>,
  periodMs: number,
  work: () => Promise<unknown>,
  failed: (error: unknown) => void,
): ThrottledTask {
  let timer: Timer | null = null;
  let running: Promise<void> | null = null;
  let pauseUntil = 0;

  async function run(): Promise<void> {
    const startedAt = clock.monotonic();
    await work().catch(failed);
    pauseUntil = clock.monotonic() + (clock.monotonic() - startedAt) * PAUSE_FACTOR;
  }

  return {
    start() {
      timer = clock.every(periodMs, () => {
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
