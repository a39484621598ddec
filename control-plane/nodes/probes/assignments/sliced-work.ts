import type { Clock, Timer } from '../../../../kernel/clock.js';

/** Runs long jobs one after another, in slices between which the event loop does other work. */
export interface SlicedWork {
  /**
   * Adds a job, which yields after each small step. It starts at once if no other job is waiting, so a job that takes
   * less than a slice is done when this returns.
   */
  add(job: Iterator<void>): void;
  stop(): void;
}

/** A slice ends with the first step after this time. */
const SLICE_MS = 5;

export function createSlicedWork(clock: Pick<Clock, 'after' | 'monotonic'>): SlicedWork {
  const jobs: Iterator<void>[] = [];
  let timer: Timer | null = null;
  let running = false;

  function runSlice(): void {
    timer = null;
    running = true;
    const endMs = clock.monotonic() + SLICE_MS;
    try {
      for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
        if (job.next().done !== true) jobs.unshift(job);
        if (clock.monotonic() >= endMs) break;
      }
    } finally {
      running = false;
      if (jobs.length > 0) timer = clock.after(0, runSlice);
    }
  }

  return {
    add(job) {
      jobs.push(job);
      if (timer === null && !running) runSlice();
    },
    stop() {
      jobs.length = 0;
      timer?.cancel();
    },
  };
}
