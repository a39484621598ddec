import type { Clock, Timer } from './clock.js';

/** Work that a process does again and again. */
export interface PeriodicTask {
  /** Idempotent. */
  start(): void;
  /** Resolves once the current run, if any, has ended. No run starts after that until `start` is called again. */
  stop(): Promise<void>;
}

/**
 * Calls `run` every `periodMs`; the first time after `firstMs`, which defaults to the period. A tick during a run that
 * takes longer than the period is skipped, so runs never overlap. An error goes to `onFailure` and the task continues.
 */
export function createPeriodicTask(options: {
  clock: Pick<Clock, 'after' | 'every'>;
  periodMs: number;
  firstMs?: number;
  run(): Promise<unknown>;
  onFailure(error: unknown): void;
}): PeriodicTask {
  const { clock, periodMs, firstMs, run, onFailure } = options;
  let timers: Timer[] = [];
  let running: Promise<void> | null = null;

  function tick(): void {
    running ??= run()
      .then(() => undefined, onFailure)
      .finally(() => {
        running = null;
      });
  }

  return {
    start() {
      if (timers.length > 0) return;
      timers = [...(firstMs === undefined ? [] : [clock.after(firstMs, tick)]), clock.every(periodMs, tick)];
    },
    async stop() {
      for (const timer of timers) timer.cancel();
      timers = [];
      await running;
    },
  };
}
