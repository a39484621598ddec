import type { Random } from '../../../kernel/random.js';
import { createIds, idTime } from '../../storage/ids.js';
import {
  createLeasedPeriodicTask,
  type LeasedPeriodicTask,
  type LeasedPeriodicTaskNeeds,
} from '../../storage/leases/leased-periodic-task.js';
import type { RunTransaction } from '../../storage/transaction.js';
import { sealEntries } from './seal.js';
import type { AuditChainStore } from './store.js';

const POLL_MS = 250;
/** The grace period before an entry is sealed: most transactions that started earlier have committed by then. */
const GRACE_MS = 500;
const ENTRIES_MAX = 500;

/** Short, so that another control plane continues within a second after the sealing one was killed. */
const LEASE_MS = 1_000;

/**
 * Seals new audit entries into the hash chain of their workspace, in the background, so that writers never wait for
 * each other. One control plane at a time seals, under a lease. If two do so for a moment, the chain stays valid: it
 * moves by compare-and-set of its head in the transaction that writes the hashes.
 *
 * Ids sort in chain order. An entry gets its id before its transaction commits, so it can appear after entries with
 * later ids. The grace period makes that rare, and `sealEntries` gives such a late entry a new id. A sealed id never
 * changes, and forwarding and export read sealed entries only.
 */
export function createAuditSealer(
  needs: LeasedPeriodicTaskNeeds & { store: AuditChainStore; runTransaction: RunTransaction; random: Random },
): LeasedPeriodicTask<void> {
  const { store, runTransaction, clock, random } = needs;
  const idAt = (timeMs: number) => createIds({ ...clock, now: () => timeMs }, random).next('evt');

  /** Seals one batch of a workspace in a transaction. Resolves to true if there may be more. */
  async function sealBatch(workspaceId: string, fence: number): Promise<boolean> {
    const sealedCount = await runTransaction(async (tx) => {
      const head = await store.head(tx, workspaceId);
      const unsealed = await store.unsealed(tx, workspaceId, ENTRIES_MAX);
      const due = unsealed.filter((document) => idTime(document._id) <= clock.now() - GRACE_MS);
      const chain = sealEntries(head, due, { workspaceId, fence, idAt });
      if (chain === null) return 0;
      await store.advance(tx, head, chain.head, chain.sealed);
      return chain.sealed.length;
    });
    return sealedCount === ENTRIES_MAX;
  }

  return createLeasedPeriodicTask(needs, {
    name: 'audit-sealer',
    periodMs: POLL_MS,
    leaseMs: LEASE_MS,
    failure: 'sealing audit entries failed, retrying',
    async work({ fence, stillHeld }) {
      for (const workspaceId of await store.unsealedWorkspaces()) {
        while ((await stillHeld()) && (await sealBatch(workspaceId, fence)));
      }
    },
  });
}
