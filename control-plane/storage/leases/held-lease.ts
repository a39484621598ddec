import type { Clock } from '../../../kernel/clock.js';
import type { LeaseStore } from './lease-store.js';

/** A lease whose holder remembers it, so that a task with short ticks queries the database only now and then. */
interface HeldLease {
  /** Resolves to the fence, after renewing the lease if that is due; null while another control plane holds it. */
  acquire(): Promise<number | null>;
  /** Returns the milliseconds since the lease was acquired or renewed; infinite when this process does not hold it. */
  ageMs(): number;
  /** Makes the next `acquire` query the database, for after an error that leaves the state unknown. */
  invalidate(): void;
  /** Lets the next owner acquire the lease at once. */
  release(): Promise<void>;
}

/** The lease is renewed once a third of its time has passed. */
const RENEWALS = 3;

export function createHeldLease(
  needs: { leases: LeaseStore; owner: string; clock: Clock },
  { name, leaseMs }: { name: string; leaseMs: number },
): HeldLease {
  const { leases, owner, clock } = needs;
  let held: { fence: number; sinceMs: number; sinceWallMs: number } | null = null;
  let mayBeOurs = false;
  let query: Promise<number | null> | null = null;
  // The monotonic clock stands still while the machine is suspended, and the database's does not. A wall clock that was
  // set forward only causes a query too many.
  const ageMs = () =>
    held === null
      ? Number.POSITIVE_INFINITY
      : Math.max(clock.monotonic() - held.sinceMs, clock.now() - held.sinceWallMs);

  async function acquire(): Promise<number | null> {
    // Read before the query: the database may have started the lease at any time since.
    const since = { sinceMs: clock.monotonic(), sinceWallMs: clock.now() };
    mayBeOurs = true;
    const fence = await leases.acquire(name, owner, leaseMs);
    held = fence === null ? null : { fence, ...since };
    mayBeOurs = fence !== null;
    return fence;
  }

  return {
    ageMs,
    async acquire() {
      if (held !== null && ageMs() < leaseMs / RENEWALS) return held.fence;
      query ??= acquire().finally(() => {
        query = null;
      });
      return query;
    },
    invalidate() {
      held = null;
    },
    async release() {
      held = null;
      if (mayBeOurs) await leases.release(name, owner);
      mayBeOurs = false;
    },
  };
}
