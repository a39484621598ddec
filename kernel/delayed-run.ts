import type { Clock, Timer } from './clock.js';

/** Runs work once, some time after it is requested. */
export interface DelayedRun {
  /** Requests a run. Has no effect while one is already requested. */
  request(): void;
  cancel(): void;
}

export function createDelayedRun(clock: Pick<Clock, 'after'>, delayMs: number, run: () => void): DelayedRun {
  let timer: Timer | null = null;
  return {
    request() {
      timer ??= clock.after(delayMs, () => {
        timer = null;
        run();
      });
    },
    cancel() {
      timer?.cancel();
      timer = null;
    },
  };
}
