import type { Clock, Timer } from '../../kernel/clock.js';
import type { CheckFailure } from './outcome.js';

/** Why a check must stop: its timeout has elapsed, or its caller has cancelled it. */
export type StopReason = 'timeout' | 'aborted';

/** The time limit of one check. A check runs one step at a time, so one listener and one timer suffice. */
export interface Deadline {
  readonly timeoutMs: number;
  elapsedMs(): number;
  remainingMs(): number;
  /** Sets the listener, replacing that of the previous step. It is called at once if the check must already stop. */
  onStop(listener: ((stop: StopReason) => void) | null): void;
  /** Settles like `work`, or rejects with the failure that `failure` returns if the check must stop before. */
  race<T>(work: Promise<T>, failure: (stop: StopReason) => CheckFailure): Promise<T>;
  /** Calls `run` if the check has not ended `graceMs` after its timeout. */
  onOverrun(graceMs: number, run: () => void): void;
  close(): void;
}

export function createDeadline(clock: Clock, timeoutMs: number, signal: AbortSignal): Deadline {
  const startedMs = clock.monotonic();
  let stopped: StopReason | null = signal.aborted ? 'aborted' : null;
  let listener: ((stop: StopReason) => void) | null = null;
  const stop = (why: StopReason) => {
    if (stopped !== null) return;
    stopped = why;
    listener?.(why);
  };
  const onAbort = () => stop('aborted');
  let overrun: { graceMs: number; run: () => void } | null = null;
  // One timer serves both limits, because nearly every check ends before the timeout.
  let timer: Timer = clock.after(timeoutMs, () => {
    if (overrun !== null) timer = clock.after(overrun.graceMs, overrun.run);
    stop('timeout');
  });
  signal.addEventListener('abort', onAbort);
  const elapsedMs = () => clock.monotonic() - startedMs;
  const onStop = (next: ((stop: StopReason) => void) | null) => {
    listener = next;
    if (stopped !== null) next?.(stopped);
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
      signal.removeEventListener('abort', onAbort);
    },
  };
}
