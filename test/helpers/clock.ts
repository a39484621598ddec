import { type Clock, systemClock } from '../../kernel/clock.js';

interface Pending {
  at: number;
  period: number | null;
  run: () => void;
}

/** A clock that stands still until the test moves it. */
export interface TestClock extends Clock {
  /** Moves both clocks, running each timer at its time, and lets promises settle after each. */
  advance(ms: number): Promise<void>;
  /**
   * Moves both clocks while the process is stopped: no timer runs. The next `advance` runs each overdue timer once, late,
   * as Node does.
   */
  stall(ms: number): void;
  /** Moves the wall clock only, as NTP or an operator would, or a machine that was suspended. */
  jump(ms: number): void;
}

export function testClock(startMs = Date.UTC(2026, 0, 31, 12)): TestClock {
  let elapsed = 0;
  let offset = startMs;
  const pending = new Set<Pending>();
  const schedule = (at: number, period: number | null, run: () => void) => {
    const timer = { at, period, run };
    pending.add(timer);
    return { cancel: () => void pending.delete(timer) };
  };
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    now: () => offset + elapsed,
    monotonic: () => elapsed,
    after: (delayMs, run) => schedule(elapsed + Math.max(0, delayMs), null, run),
    every: (periodMs, run) => schedule(elapsed + periodMs, periodMs, run),
    sleep: (delayMs, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const finish = () => {
          timer.cancel();
          signal?.removeEventListener('abort', finish);
          resolve();
        };
        const timer = schedule(elapsed + delayMs, null, finish);
        signal?.addEventListener('abort', finish, { once: true });
      }),
    async advance(ms) {
      const until = elapsed + ms;
      for (;;) {
        const next = [...pending].filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        elapsed = Math.max(elapsed, next.at);
        if (next.period === null) pending.delete(next);
        else next.at = elapsed + next.period;
        next.run();
        await settle();
      }
      elapsed = until;
      await settle();
    },
    stall(ms) {
      elapsed += ms;
    },
    jump(ms) {
      offset += ms;
    },
  };
}

/** Returns the system clock without periods: nothing happens only because it is tried again and again. */
export function withoutPeriods(): Clock {
  return { ...systemClock, every: () => ({ cancel() {} }) };
}

/** Returns the system clock with all delays and periods divided by `factor`. The time itself is the system's. */
export function quickClock(factor: number): Clock {
  return {
    ...systemClock,
    after: (delayMs, run) => systemClock.after(delayMs / factor, run),
    every: (periodMs, run) => systemClock.every(periodMs / factor, run),
    sleep: (delayMs, signal) => systemClock.sleep(delayMs / factor, signal),
  };
}
