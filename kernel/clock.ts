/** A pending timer; `cancel` is safe to call twice and after it fired. */
export interface Timer {
  cancel(): void;
}

/**
 * The only way product code learns the time or waits. Passed as an argument so that a test can own it.
 * Wall time may jump (NTP, an operator); durations are measured on `monotonic`, which never goes back.
 */
export interface Clock {
  /** Wall time, milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds with a fraction, from an arbitrary start; only differences mean something. */
  monotonic(): number;
  /** Calls `run` once after `delayMs`. A pending timer does not keep the process alive. */
  after(delayMs: number, run: () => void): Timer;
  /** Calls `run` each `periodMs` until cancelled. Does not keep the process alive. */
  every(periodMs: number, run: () => void): Timer;
  /** Resolves after `delayMs`, or at once when `signal` is aborted. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/** Longest delay a Node timer takes (2^31 - 1 ms); a longer one would fire at once. */
const DELAY_MS_MAX = 2_147_483_647;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, run) {
    const handle = setTimeout(run, Math.min(Math.max(0, delayMs), DELAY_MS_MAX));
    handle.unref();
    return { cancel: () => clearTimeout(handle) };
  },
  every(periodMs, run) {
    const handle = setInterval(run, Math.min(periodMs, DELAY_MS_MAX));
    handle.unref();
    return { cancel: () => clearInterval(handle) };
  },
  sleep(delayMs, signal) {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const finish = () => {
        clearTimeout(handle);
        signal?.removeEventListener('abort', finish);
        resolve();
      };
      // Not unref'd: whoever awaits a sleep expects to be woken.
      const handle = setTimeout(finish, Math.min(Math.max(0, delayMs), DELAY_MS_MAX));
      signal?.addEventListener('abort', finish, { once: true });
    });
  },
};

/** `2026-01-31T12:00:00.000Z`, the one form in which timestamps leave the product. */
export function toIso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
