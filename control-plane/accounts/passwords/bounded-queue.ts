/** Runs work with a bound on how much of it runs, and waits, at a time. */
export interface BoundedQueue {
  /** Runs `work` when its turn comes, first come first served. Rejects with `refusal()` when too much is waiting. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createBoundedQueue(limits: {
  runningMax: number;
  waitingMax: number;
  refusal: () => Error;
}): BoundedQueue {
  const { runningMax, waitingMax, refusal } = limits;
  const waiting: (() => void)[] = [];
  let running = 0;

  async function turn(): Promise<void> {
    if (running < runningMax) {
      running += 1;
      return;
    }
    if (waiting.length >= waitingMax) throw refusal();
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  return {
    async run(work) {
      await turn();
      try {
        return await work();
      } finally {
        // The next one takes over this turn, so `running` stays as it is.
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
