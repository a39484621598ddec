/** Limits how many checks run at the same time. The others wait. */
export interface Semaphore {
  /**
   * Resolves to true when the caller may run; it must then call `release`. Resolves to false when `signal` is aborted
   * before that. An urgent caller (a retry or a command) does not wait for the others.
   */
  acquire(urgent: boolean, signal: AbortSignal): Promise<boolean>;
  release(): void;
  running(): number;
}

interface Waiter {
  admit(): void;
}

export function createSemaphore(runningMax: number): Semaphore {
  const urgentWaiters = new Set<Waiter>();
  const otherWaiters = new Set<Waiter>();
  let running = 0;

  function takeNext(): Waiter | undefined {
    for (const waiters of [urgentWaiters, otherWaiters]) {
      for (const waiter of waiters) {
        waiters.delete(waiter);
        return waiter;
      }
    }
    return undefined;
  }

  return {
    acquire(urgent, signal) {
      if (signal.aborted) return Promise.resolve(false);
      if (running < runningMax) {
        running += 1;
        return Promise.resolve(true);
      }
      const waiters = urgent ? urgentWaiters : otherWaiters;
      return new Promise((resolve) => {
        const cancel = () => {
          if (waiters.delete(waiter)) resolve(false);
        };
        const waiter: Waiter = {
          admit() {
            signal.removeEventListener('abort', cancel);
            resolve(true);
          },
        };
        waiters.add(waiter);
        signal.addEventListener('abort', cancel, { once: true });
      });
    },
    release() {
      const next = takeNext();
      // The next check takes over the place of this one, so the number of running checks stays the same.
      if (next === undefined) running -= 1;
      else next.admit();
    },
    running: () => running,
  };
}
