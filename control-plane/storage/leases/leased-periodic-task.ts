import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { createPeriodicTask } from '../../../kernel/periodic-task.js';
import { createHeldLease } from './held-lease.js';
import type { LeaseStore } from './lease-store.js';

/** A periodic task that runs in one control plane at a time. */
export interface LeasedPeriodicTask<T> {
  start(): void;
  /**
   * Resolves to what the work returned, null when another control plane holds the lease. `nowMs` defaults to the
   * clock's time.
   */
  runOnce(nowMs?: number): Promise<T | null>;
  /** Resolves when the work has ended and the lease is released, so that another control plane can continue at once. */
  stop(): Promise<void>;
}

/** The lease as the work sees it. */
export interface TaskLease {
  /**
   * Grows with each change of the owner. A store that compares it keeps a previous owner from overwriting newer data.
   */
  readonly fence: number;
  /**
   * Renews the lease when that is due. Once it resolves to false, the lease is lost or the task stops: the work must
   * end.
   */
  stillHeld(): Promise<boolean>;
  /** Returns the milliseconds since the lease was acquired or renewed; infinite once it is lost. */
  ageMs(): number;
  /** Aborted when the task stops. */
  readonly stopping: AbortSignal;
}

export type LeasedWork<T> = (lease: TaskLease, nowMs: number) => Promise<T>;

export interface LeasedPeriodicTaskNeeds {
  leases: LeaseStore;
  /** Names this process in leases; each start of the process has another name. */
  owner: string;
  clock: Clock;
  logger: Logger;
}

interface LeasedPeriodicTaskOptions<T> {
  /** The name of the lease. */
  name: string;
  periodMs: number;
  /** Delay of the first tick; defaults to the period. */
  firstMs?: number;
  /** After a crash of the owner, another control plane continues this much later. */
  leaseMs: number;
  work: LeasedWork<T>;
  /** Log message of a failed tick. */
  failure: string;
  /** The level of that message: `error` for work that users miss when it fails for long. Defaults to `warn`. */
  failureLevel?: 'warn' | 'error';
  /** Called at each tick at which another control plane holds the lease. */
  onNotHeld?(): void;
  /** Called after each failed tick. */
  onFailure?(): void;
  /**
   * Called by `stop` after the last tick: ends what ticks have started, before another control plane can start the
   * same.
   */
  beforeRelease?(): Promise<void>;
}

/** The lease only avoids duplicate work; it protects no data, see `lease-store.ts`. */
export function createLeasedPeriodicTask<T>(
  needs: LeasedPeriodicTaskNeeds,
  options: LeasedPeriodicTaskOptions<T>,
): LeasedPeriodicTask<T> {
  const { clock, logger } = needs;
  const lease = createHeldLease(needs, options);
  let stopping = new AbortController();

  async function runOnce(nowMs = clock.now()): Promise<T | null> {
    const { signal } = stopping;
    try {
      const fence = await lease.acquire();
      if (fence === null) {
        options.onNotHeld?.();
        return null;
      }
      const stillHeld = async () => !signal.aborted && (await lease.acquire()) === fence;
      return await options.work({ fence, stillHeld, ageMs: lease.ageMs, stopping: signal }, nowMs);
    } catch (error) {
      lease.invalidate();
      throw error;
    }
  }

  const task = createPeriodicTask({
    ...options,
    clock,
    run: () => runOnce(),
    onFailure(error) {
      options.onFailure?.();
      logger[options.failureLevel ?? 'warn']({ err: error, task: options.name }, options.failure);
    },
  });
  return {
    runOnce,
    start() {
      if (stopping.signal.aborted) stopping = new AbortController();
      task.start();
    },
    async stop() {
      stopping.abort();
      await task.stop();
      await options.beforeRelease?.();
      await lease.release();
    },
  };
}
