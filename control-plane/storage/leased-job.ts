import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { createRounds } from '../../kernel/rounds.js';
import type { LeaseStore } from './lease-store.js';

/** Something that one control plane at a time does each so often. */
export interface LeasedJob<T> {
  start(): void;
  /** What one look came to; null when another control plane has the lease. */
  runOnce(): Promise<T | null>;
  stop(): Promise<void>;
}

/** `holds` renews the lease; work that takes long asks it now and then, and ends when it says false. */
export type LeasedWork<T> = (holds: () => Promise<boolean>) => Promise<T>;

/** The lease saves work and guards nothing, see `lease-store.ts`. */
export function createLeasedJob<T>(
  deps: { leases: LeaseStore; owner: string; clock: Clock; logger: Logger },
  options: {
    /** Of the lease. */
    name: string;
    periodMs: number;
    /** Until the first look; the period where it is not given. */
    firstMs?: number;
    leaseMs: number;
    work: LeasedWork<T>;
    /** What the log says of a look that failed. */
    failure: string;
  },
): LeasedJob<T> {
  const { leases, owner, clock, logger } = deps;
  const { name, leaseMs, work, failure } = options;
  let stopping = false;

  async function runOnce(): Promise<T | null> {
    let renewedMs = clock.monotonic();
    if ((await leases.acquire(name, owner, leaseMs)) === null) return null;
    return work(async () => {
      if (stopping) return false;
      if (clock.monotonic() - renewedMs < leaseMs / 4) return true;
      renewedMs = clock.monotonic();
      return (await leases.acquire(name, owner, leaseMs)) !== null;
    });
  }

  const rounds = createRounds({
    ...options,
    clock,
    round: runOnce,
    failed: (error) => logger.warn({ err: error, job: name }, failure),
  });
  return {
    runOnce,
    start: rounds.start,
    async stop() {
      stopping = true;
      await rounds.stop();
      await leases.release(name, owner);
    },
  };
}
