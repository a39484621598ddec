import type { Clock } from '../../../../kernel/clock.js';

/** Wakes one waiter. A ring that nobody waits for is kept for the next one. */
export interface Bell {
  ring(): void;
  wait(timeoutMs: number): Promise<void>;
}

export function createBell(clock: Clock): Bell {
  let rung = false;
  let wake: (() => void) | null = null;
  return {
    ring() {
      rung = true;
      wake?.();
    },
    async wait(timeoutMs) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = clock.after(timeoutMs, resolve);
          wake = () => {
            timer.cancel();
            resolve();
          };
        });
      }
      wake = null;
      rung = false;
    },
  };
}
