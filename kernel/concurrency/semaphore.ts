/** Limits how many do something at the same time. The others wait in the order of their arrival. */
export interface Semaphore {
  /**
   * Resolves to true when the caller may run; it must then call `release`. Resolves to false when `signal` is aborted
   * before that. An urgent caller does not wait for those that are not.
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
      // The next one takes this place over, so the number of those running stays the same.
      if (next === undefined) running -= 1;
      else next.admit();
    },
    running: () => running,
  };
}
