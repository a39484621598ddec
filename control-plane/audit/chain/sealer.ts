import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Random } from '../../../kernel/random.js';
import { createRounds } from '../../../kernel/rounds.js';
import { createHeldLease } from '../../storage/held-lease.js';
import { createIds, idTime } from '../../storage/ids.js';
import type { LeaseStore } from '../../storage/lease-store.js';
import type { RunTransaction } from '../../storage/transaction.js';
import type { AuditStore } from '../store.js';
import { sealEntries } from './seal.js';

const POLL_MS = 250;
/** How long an entry rests before it is sealed: transactions that began earlier have mostly committed by then. */
const GRACE_MS = 500;
const ENTRIES_MAX = 500;

/** Short, so that another control plane goes on in time when the sealer is killed. */
const LEASE = { name: 'audit-sealer', leaseMs: 1_000, renewedMs: 400 };

export interface AuditSealer {
  start(): void;
  /** Ends after the round under way and lets another control plane take over at once. */
  stop(): Promise<void>;
}

/**
 * Seals new audit entries into the hash chain of their workspace, in the background, so that writers never wait
 * for one another. One control plane at a time does it, under a lease; that two might for a moment does no harm,
 * since the chain moves by compare-and-set of its head in the transaction that writes the hashes.
 *
 * Ids sort in the order of the chain. An entry gets its id before its transaction commits, so one may appear
 * behind others with later ids; resting for `GRACE_MS` makes that rare, and `sealEntries` gives such a late entry
 * a new id. A sealed id never changes, and forwarding and export read sealed entries only.
 */
export function createAuditSealer(parts: {
  store: AuditStore;
  leases: LeaseStore;
  runTransaction: RunTransaction;
  clock: Clock;
  random: Random;
  logger: Logger;
  /** Names this process in the lease. */
  owner: string;
}): AuditSealer {
  const { store, runTransaction, clock, random, logger } = parts;
  const idAt = (timeMs: number) => createIds({ ...clock, now: () => timeMs }, random).next('evt');
  const lease = createHeldLease(parts, LEASE);

  /** One transaction; true when there may be more. */
  async function sealSome(workspaceId: string, fence: number): Promise<boolean> {
    const sealedCount = await runTransaction(async (tx) => {
      const head = await store.head(tx, workspaceId);
      const waiting = await store.unsealed(tx, workspaceId, ENTRIES_MAX);
      const due = waiting.filter((document) => idTime(document._id) <= clock.now() - GRACE_MS);
      const chain = sealEntries(head, due, { workspaceId, fence, idAt });
      if (chain === null) return 0;
      await store.advance(tx, head, chain.head, chain.sealed);
      return chain.sealed.length;
    });
    return sealedCount === ENTRIES_MAX;
  }

  async function round(): Promise<void> {
    const fence = await lease.hold();
    if (fence === null) return;
    for (const workspaceId of await store.unsealedWorkspaces()) {
      while ((await lease.hold()) === fence && (await sealSome(workspaceId, fence)));
    }
  }

  const rounds = createRounds({
    clock,
    periodMs: POLL_MS,
    round,
    failed(err) {
      lease.forget();
      logger.warn({ err }, 'audit entries could not be sealed; trying again');
    },
  });
  return {
    start: rounds.start,
    async stop() {
      await rounds.stop();
      await lease.release();
    },
  };
}
