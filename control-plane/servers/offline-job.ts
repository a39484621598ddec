import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { createRounds } from '../../kernel/rounds.js';
import type { LeaseStore } from '../storage/lease-store.js';
import type { StatusChanges } from './status.js';
import type { ServerStore } from './store.js';

const LOOK_MS = 2_000;
const LEASE = 'servers-offline';
const LEASE_MS = 10_000;
/**
 * Silence counts only while somebody listened: after a start, or when this process itself stood still, agents get so
 * long to come back. Their own pauses between two tries are half as long at most.
 */
export const LISTENING_MS = 60_000;
/** A look this much later than due means that the process stood still, and the reports with it. */
const STALLED_MS = 5_000;
const SERVERS_MAX = 500;

/** Notices servers that are silent. */
export interface OfflineJob {
  /** Done by itself each two seconds once started. */
  look(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export function createOfflineJob(dependencies: {
  store: ServerStore;
  changes: StatusChanges;
  leases: LeaseStore;
  owner: string;
  clock: Clock;
  logger: Logger;
}): OfflineJob {
  const { store, changes, leases, owner, clock, logger } = dependencies;
  let listeningSince: number | null = null;
  let lastLook = Number.NEGATIVE_INFINITY;

  async function look(): Promise<void> {
    const now = clock.monotonic();
    const stalled = now - lastLook > LOOK_MS + STALLED_MS;
    lastLook = now;
    if ((await leases.acquire(LEASE, owner, LEASE_MS)) === null) {
      listeningSince = null;
      return;
    }
    if (listeningSince === null || stalled) listeningSince = now;
    if (now - listeningSince < LISTENING_MS) return;
    for (const { _id, live } of await store.silent(clock.now(), SERVERS_MAX)) {
      if (live === null) continue;
      await changes.transition({ id: _id, from: 'online', to: 'offline', silentSinceMs: live.received_at_ms });
    }
  }

  const rounds = createRounds({
    clock,
    periodMs: LOOK_MS,
    round: look,
    failed(error) {
      // Nobody could have stored a report either.
      listeningSince = null;
      logger.warn({ err: error }, 'silent servers cannot be looked for now');
    },
  });
  return {
    look,
    start: rounds.start,
    async stop() {
      await rounds.stop();
      await leases.release(LEASE, owner);
    },
  };
}
