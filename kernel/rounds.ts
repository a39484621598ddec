import type { Clock, Timer } from './clock.js';

/** Work that a process does again and again. */
export interface Rounds {
  /** Twice is once. */
  start(): void;
  /** No round begins any more; resolves when the one under way is over. It can be started again. */
  stop(): Promise<void>;
}

/**
 * Does `round` each `periodMs`, and after `firstMs` the first time where that is given. One at a time: while a round
 * takes longer than the period none is begun beside it. What a round throws goes to `failed`, and the next one comes.
 */
export function createRounds(options: {
  clock: Pick<Clock, 'after' | 'every'>;
  periodMs: number;
  firstMs?: number;
  round(): Promise<unknown>;
  failed(error: unknown): void;
}): Rounds {
  const { clock, periodMs, firstMs, round, failed } = options;
  let timers: Timer[] = [];
  let running: Promise<void> | null = null;

  function tick(): void {
    running ??= round()
      .then(() => undefined, failed)
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
