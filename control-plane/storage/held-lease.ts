import type { Clock } from '../../kernel/clock.js';
import type { LeaseStore } from './lease-store.js';

/** A lease that its holder remembers, so that work in short rounds asks the database only now and then. */
export interface HeldLease {
  /** The fence while this process has the lease, acquired or renewed when that is due; null while another has it. */
  hold(): Promise<number | null>;
  /** Since it was acquired or renewed; infinite when this process does not have it. */
  heldMs(): number;
  /** The next `hold` asks the database, as after an error, when nobody knows. */
  forget(): void;
  /** Lets the next owner in at once. */
  release(): Promise<void>;
}

export function createHeldLease(
  { leases, owner, clock }: { leases: LeaseStore; owner: string; clock: Clock },
  {
    name,
    leaseMs,
    renewedMs,
  }: { name: string; leaseMs: number /** Renewed once it is this old. */; renewedMs: number },
): HeldLease {
  let lease: { fence: number; sinceMs: number } | null = null;
  const heldMs = () => (lease === null ? Number.POSITIVE_INFINITY : clock.monotonic() - lease.sinceMs);
  return {
    heldMs,
    async hold() {
      if (lease !== null && heldMs() < renewedMs) return lease.fence;
      // Before the question, not after the answer: by the database's clock it may be that old.
      const sinceMs = clock.monotonic();
      const fence = await leases.acquire(name, owner, leaseMs);
      lease = fence === null ? null : { fence, sinceMs };
      return fence;
    },
    forget() {
      lease = null;
    },
    async release() {
      if (lease !== null) await leases.release(name, owner);
      lease = null;
    },
  };
}
