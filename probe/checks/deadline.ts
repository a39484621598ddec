import type { Clock, Timer } from '../../kernel/clock.js';
import type { CheckFailure } from './outcome.js';

/** Why a step must stop: the check's time is up, or its caller no longer wants it. */
export type Stop = 'timeout' | 'aborted';

/** One check's total time. A check is a row of steps, so one listener at a time is enough and costs one timer. */
export interface Deadline {
  readonly timeoutMs: number;
  elapsedMs(): number;
  remainingMs(): number;
  /** Names what to tell when time is up, in place of the step before; told at once when it already is. */
  onStop(tell: ((stop: Stop) => void) | null): void;
  /** The result of `work`, or the failure that `stopped` makes of the stop that came first. */
  race<T>(work: Promise<T>, stopped: (stop: Stop) => CheckFailure): Promise<T>;
  /** Calls `run` when the time has been up for so long and the check still has not ended. */
  onOverrun(graceMs: number, run: () => void): void;
  close(): void;
}

export function createDeadline(clock: Clock, timeoutMs: number, signal: AbortSignal): Deadline {
  const startedMs = clock.monotonic();
  let stopped: Stop | null = signal.aborted ? 'aborted' : null;
  let listener: ((stop: Stop) => void) | null = null;
  const stop = (why: Stop) => {
    if (stopped !== null) return;
    stopped = why;
    listener?.(why);
  };
  const aborted = () => stop('aborted');
  let overrun: { graceMs: number; run: () => void } | null = null;
  // One timer serves both bells: nearly every check ends before the first.
  let timer: Timer = clock.after(timeoutMs, () => {
    if (overrun !== null) timer = clock.after(overrun.graceMs, overrun.run);
    stop('timeout');
  });
  signal.addEventListener('abort', aborted);
  const elapsedMs = () => clock.monotonic() - startedMs;
  const onStop = (tell: ((stop: Stop) => void) | null) => {
    listener = tell;
    if (stopped !== null) tell?.(stopped);
  };
  return {
    timeoutMs,
    elapsedMs,
    remainingMs: () => Math.max(0, timeoutMs - elapsedMs()),
    onStop,
    race: (work, failure) =>
      new Promise((resolve, reject) => {
        onStop((why) => reject(failure(why)));
        work.then(resolve, reject).finally(() => onStop(null));
      }),
    onOverrun(graceMs, run) {
      overrun = { graceMs, run };
    },
    close() {
      listener = null;
      timer.cancel();
      signal.removeEventListener('abort', aborted);
    },
  };
}
