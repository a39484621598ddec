import {
  createLeasedPeriodicTask,
  type LeasedPeriodicTask,
  type LeasedPeriodicTaskNeeds,
  type TaskLease,
} from '../storage/leased-periodic-task.js';
import type { StatusChanges } from './status.js';
import type { ServerStore } from './store.js';

const CHECK_MS = 2_000;
const LEASE_MS = 10_000;
/**
 * Missing samples only count while this control plane could receive them: after a start, and after this process has
 * stalled, agents get this time to reconnect. Their own reconnect delay is at most half of it.
 */
const LISTENING_MS = 60_000;
/** A check this much later than due means that the process has stalled and could not receive samples. */
const STALLED_MS = 5_000;
const SERVERS_MAX = 500;

/** Sets servers offline that have stopped sending samples. */
export function createOfflineJob(
  needs: LeasedPeriodicTaskNeeds & { store: ServerStore; changes: StatusChanges },
): LeasedPeriodicTask<void> {
  const { store, changes, clock } = needs;
  let listeningSince: number | null = null;
  let lastCheck = Number.NEGATIVE_INFINITY;

  async function markSilent({ stillHeld }: TaskLease): Promise<void> {
    const now = clock.monotonic();
    const stalled = now - lastCheck > CHECK_MS + STALLED_MS;
    lastCheck = now;
    if (listeningSince === null || stalled) listeningSince = now;
    if (now - listeningSince < LISTENING_MS) return;
    for (const { _id, live } of await store.silent(clock.now(), SERVERS_MAX)) {
      if (live === null) continue;
      if (!(await stillHeld())) return;
      await changes.transition({ id: _id, from: 'online', to: 'offline', silentSinceMs: live.received_at_ms });
    }
  }

  const stopListening = () => {
    listeningSince = null;
  };
  return createLeasedPeriodicTask(needs, {
    name: 'servers-offline',
    periodMs: CHECK_MS,
    leaseMs: LEASE_MS,
    failure: 'checking for silent servers failed, retrying',
    work: markSilent,
    onNotHeld: stopListening,
    // While the database is unavailable, no sample can be stored either.
    onFailure: stopListening,
  });
}
