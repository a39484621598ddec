import type { Clock } from '../../../../kernel/clock.js';

/** A wake-up signal for one waiter. A signal that arrives while nothing waits ends the next wait at once. */
export interface WakeUp {
  signal(): void;
  wait(timeoutMs: number): Promise<void>;
}

export function createWakeUp(clock: Clock): WakeUp {
  let isSignaled = false;
  let wake: (() => void) | null = null;
  return {
    signal() {
      isSignaled = true;
      wake?.();
    },
    async wait(timeoutMs) {
      if (!isSignaled) {
        await new Promise<void>((resolve) => {
          const timer = clock.after(timeoutMs, resolve);
          wake = () => {
            timer.cancel();
            resolve();
          };
        });
      }
      wake = null;
      isSignaled = false;
    },
  };
}
