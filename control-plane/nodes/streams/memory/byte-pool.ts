/** A number of bytes of memory that many holders share. */
export interface BytePool {
  /**
   * Resolves to a function that returns the bytes once they are reserved, in the order of the calls, and to null when
   * `signal` is aborted and they are not free. A reservation of more than the pool has takes all of it, so that nothing is
   * stuck forever.
   */
  reserve(bytes: number, signal: AbortSignal): Promise<(() => void) | null>;
  /** Whether this many bytes are free now, and nobody waits for them. */
  isFree(bytes: number): boolean;
  usedBytes(): number;
}

interface Waiter {
  bytes: number;
  settle(isReserved: boolean): void;
}

export function createBytePool(bytesMax: number): BytePool {
  const waiters = new Set<Waiter>();
  let used = 0;

  function grant(): void {
    for (const waiter of waiters) {
      if (used + waiter.bytes > bytesMax) return;
      waiters.delete(waiter);
      used += waiter.bytes;
      waiter.settle(true);
    }
  }

  function wait(bytes: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const giveUp = () => {
        waiters.delete(waiter);
        waiter.settle(false);
        // It may have been the first one, too large for what is free.
        grant();
      };
      const waiter: Waiter = {
        bytes,
        settle(isReserved) {
          signal.removeEventListener('abort', giveUp);
          resolve(isReserved);
        },
      };
      waiters.add(waiter);
      signal.addEventListener('abort', giveUp, { once: true });
      grant();
      if (signal.aborted && waiters.has(waiter)) giveUp();
    });
  }

  return {
    async reserve(bytes, signal) {
      const own = Math.min(bytes, bytesMax);
      if (!(await wait(own, signal))) return null;
      let isReserved = true;
      return () => {
        if (!isReserved) return;
        isReserved = false;
        used -= own;
        grant();
      };
    },
    isFree: (bytes) => waiters.size === 0 && used + bytes <= bytesMax,
    usedBytes: () => used,
  };
}
