import { createSemaphore, type Semaphore } from './semaphore.js';

/** Limits how many of each key, such as of a workspace, do something at the same time. */
export interface KeyedSemaphore {
  /** Runs `work` in the turn of its key. Throws the reason of `waiting` if that is aborted before. */
  run<T>(key: string, waiting: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Keys of which something runs or waits. */
  size(): number;
}

export function createKeyedSemaphore(runningMax: number): KeyedSemaphore {
  const semaphores = new Map<string, { semaphore: Semaphore; users: number }>();

  return {
    async run(key, waiting, work) {
      const own = semaphores.get(key) ?? { semaphore: createSemaphore(runningMax), users: 0 };
      semaphores.set(key, own);
      own.users += 1;
      try {
        return await inTurn(own.semaphore, waiting, work);
      } finally {
        own.users -= 1;
        if (own.users === 0) semaphores.delete(key);
      }
    },
    size: () => semaphores.size,
  };
}

/**
 * Runs `work` when the semaphore admits it. Throws the reason of `waiting` if that is aborted before. Urgent work does not
 * wait for other work that waits.
 */
export async function inTurn<T>(
  semaphore: Semaphore,
  waiting: AbortSignal,
  work: () => Promise<T>,
  { isUrgent }: { isUrgent: boolean } = { isUrgent: false },
): Promise<T> {
  if (!(await semaphore.acquire(isUrgent, waiting))) throw waiting.reason;
  try {
    return await work();
  } finally {
    semaphore.release();
  }
}
