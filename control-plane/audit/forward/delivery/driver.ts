import {
  createLeasedPeriodicTask,
  type LeasedPeriodicTask,
  type LeasedPeriodicTaskNeeds,
  type TaskLease,
} from '../../../storage/leases/leased-periodic-task.js';
import type { ForwarderStore } from '../store.js';
import type { ForwardedEntries } from './entries-store.js';
import { type ForwardWorker, startWorker, type WorkerNeeds } from './worker.js';

const POLL_MS = 500;
const LEASE_MS = 6_000;
/** A worker starts nothing new with a lease older than this. */
const LEASE_TRUSTED_MS = 4_500;

/**
 * Runs a worker for each forwarder, in one control plane at a time. If two control planes run the same forwarder for a
 * moment, the receiver gets duplicates and nothing else happens: a cursor moves only under the newest lease, and only
 * for the version of the settings that the worker uses.
 */
export function createForwardDriver(
  needs: Omit<WorkerNeeds, 'hasLease'> &
    LeasedPeriodicTaskNeeds & {
      store: ForwarderStore;
      entries: ForwardedEntries;
      /** Returns which of these workspaces have a plan with forwarding. */
      entitled(workspaceIds: readonly string[]): Promise<ReadonlySet<string>>;
    },
): LeasedPeriodicTask<void> {
  const { store, entries, entitled, logger } = needs;
  const workers = new Map<string, ForwardWorker>();

  async function drive(lease: TaskLease): Promise<void> {
    const active = await store.active();
    const workspaceIds = [...new Set(active.map(({ workspaceId }) => workspaceId))];
    const [entitledIds, heads] = await Promise.all([entitled(workspaceIds), entries.heads(workspaceIds)]);
    const wanted = new Map(active.filter((one) => entitledIds.has(one.workspaceId)).map((one) => [one.id, one]));
    for (const [id, { claim, stop }] of workers) {
      if (claim.fence !== lease.fence || wanted.get(id)?.version !== claim.version) stop();
    }
    for (const { id, workspaceId, version } of wanted.values()) {
      // A worker that is still ending gets its successor at a later tick.
      if (!workers.has(id)) startOne(id, workspaceId, version, lease);
      const head = heads.get(workspaceId);
      if (head !== undefined) workers.get(id)?.setHead(head);
    }
  }

  function startOne(id: string, workspaceId: string, version: number, { fence, ageMs }: TaskLease): void {
    const hasLease = () => ageMs() < LEASE_TRUSTED_MS;
    const worker = startWorker({ ...needs, hasLease }, workspaceId, { id, version, fence });
    workers.set(id, worker);
    void worker.ended
      .catch((err: unknown) =>
        logger.error({ err, forwarder: id }, 'the worker of a forwarder ended unexpectedly, restarting it'),
      )
      .finally(() => workers.delete(id));
  }

  function stopWorkers(): void {
    for (const worker of workers.values()) worker.stop();
  }

  return createLeasedPeriodicTask(needs, {
    name: 'audit-forwarders',
    periodMs: POLL_MS,
    leaseMs: LEASE_MS,
    failure: 'reading the audit forwarders failed, retrying',
    work: drive,
    onNotHeld: stopWorkers,
    async beforeRelease() {
      stopWorkers();
      await Promise.allSettled([...workers.values()].map((worker) => worker.ended));
    },
  });
}
