/** A read that is repeated takes at most one part in this many of the time. */
const SHARE = 5;

interface PaceClock {
  /** In milliseconds, from any time. */
  now(): number;
  /** Rejects when the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

const browserClock: PaceClock = {
  now: () => performance.now(),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    }),
};

/**
 * Returns the read with pauses in proportion to how long it took before: in an outage of many monitors each event asks
 * for the whole list, and the larger the list, the longer reading and showing it takes. The first read after a quiet
 * time does not wait.
 */
export function paced<Result>(
  read: (signal: AbortSignal) => Promise<Result>,
  clock: PaceClock = browserClock,
): (signal: AbortSignal) => Promise<Result> {
  let notBeforeMs = Number.NEGATIVE_INFINITY;
  return async (signal) => {
    const waitMs = notBeforeMs - clock.now();
    if (waitMs > 0) await clock.wait(waitMs, signal);
    const startedMs = clock.now();
    const result = await read(signal);
    const endedMs = clock.now();
    notBeforeMs = endedMs + (endedMs - startedMs) * SHARE;
    return result;
  };
}
