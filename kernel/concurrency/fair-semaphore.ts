import { createRotation } from './rotation.js';

/**
 * Limits how many do something at the same time. The groups that wait, such as workspaces, take turns, so that one that has much to
 * do delays another by one piece of it.
 */
export interface FairSemaphore {
  run<T>(group: string, work: () => Promise<T>): Promise<T>;
}

export function createFairSemaphore(runningMax: number): FairSemaphore {
  const waiting = createRotation<() => void>();
  let running = 0;

  function admitted(group: string): Promise<void> | undefined {
    if (running < runningMax) {
      running += 1;
      return undefined;
    }
    return new Promise((resolve) => waiting.add({ group, member: '' }, resolve));
  }

  function release(): void {
    const next = waiting.next();
    // The next one takes this place over, so the number of those running stays the same.
    if (next === null) running -= 1;
    else next();
  }

  return {
    async run(group, work) {
      await admitted(group);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
