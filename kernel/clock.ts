/** A pending timer. `cancel` is idempotent and may be called after the timer fired. */
export interface Timer {
  cancel(): void;
}

/**
 * The only way in which product code reads the time or waits. It is passed as an argument so that tests control it.
 * Wall time may jump (NTP, an operator), so durations are measured with `monotonic`, which never goes back.
 */
export interface Clock {
  /** Returns the wall time in milliseconds since the Unix epoch. */
  now(): number;
  /** Returns milliseconds with a fraction since an arbitrary start. Only differences are meaningful. */
  monotonic(): number;
  /** Calls `run` once after `delayMs`. The timer does not keep the process alive. */
  after(delayMs: number, run: () => void): Timer;
  /** Calls `run` every `periodMs` until cancelled. The timer does not keep the process alive. */
  every(periodMs: number, run: () => void): Timer;
  /** Resolves after `delayMs`, or as soon as `signal` is aborted. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/** The longest delay that Node timers support (2^31 - 1 ms). A longer one would fire at once. */
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
      // Not unref'd: code that awaits a sleep must be resumed.
      const handle = setTimeout(finish, Math.min(Math.max(0, delayMs), DELAY_MS_MAX));
      signal?.addEventListener('abort', finish, { once: true });
    });
  },
};

/** Returns a timestamp as the API shows it: `2026-01-31T12:00:00.000Z`. */
export function toIso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** Returns the time in ISO 8601; null for null. */
export function isoOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : toIso(epochMs);
}
