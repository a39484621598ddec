import type { Clock } from '../../../../kernel/clock.js';
import type { Logger } from '../../../../kernel/logger.js';
import { createRounds } from '../../../../kernel/rounds.js';
import { createHeldLease } from '../../../storage/held-lease.js';
import type { LeaseStore } from '../../../storage/lease-store.js';
import type { ForwarderStore } from '../store.js';
import type { ForwardedEntries } from './entries-store.js';
import { type Lane, type LaneDeps, startLane } from './lane.js';

const POLL_MS = 500;
/** Another control plane goes on six seconds after the one with the lease was killed. */
const LEASE = { name: 'audit-forwarders', leaseMs: 6_000, renewedMs: 2_000 };
/** Nothing is begun in the last of its time. */
const LEASE_TRUSTED_MS = 4_500;

export interface ForwardDriver {
  start(): void;
  /** Ends after what is under way, and lets another control plane take over at once. */
  stop(): Promise<void>;
}

/**
 * Drives all forwarders, each in a lane of its own, in one control plane at a time. That two might for a moment does
 * no harm but duplicates: a cursor moves only under the newest lease and at the version of the settings that its lane
 * works by.
 */
export function createForwardDriver(
  deps: Omit<LaneDeps, 'holds'> & {
    store: ForwarderStore;
    entries: ForwardedEntries;
    leases: LeaseStore;
    /** Those of these workspaces whose plan includes forwarding. */
    entitled(workspaceIds: readonly string[]): Promise<ReadonlySet<string>>;
    clock: Clock;
    logger: Logger;
    /** Names this process in the lease. */
    owner: string;
  },
): ForwardDriver {
  const { store, entries, clock, logger } = deps;
  const lanes = new Map<string, Lane>();
  const lease = createHeldLease(deps, LEASE);

  async function round(): Promise<void> {
    const fence = await lease.hold();
    const active = fence === null ? [] : await store.active();
    const workspaceIds = [...new Set(active.map(({ workspaceId }) => workspaceId))];
    const [entitled, heads] = await Promise.all([deps.entitled(workspaceIds), entries.heads(workspaceIds)]);
    const wanted = new Map(active.filter((one) => entitled.has(one.workspaceId)).map((one) => [one.id, one]));
    for (const [id, { mark, stop }] of lanes) {
      if (mark.fence !== fence || wanted.get(id)?.version !== mark.version) stop();
    }
    if (fence === null) return;
    for (const { id, workspaceId, version } of wanted.values()) {
      // One that is still ending has its successor in a later round.
      if (!lanes.has(id)) begin(id, workspaceId, version, fence);
      const head = heads.get(workspaceId);
      if (head !== undefined) lanes.get(id)?.head(head);
    }
  }

  function begin(id: string, workspaceId: string, version: number, fence: number): void {
    const holds = () => lease.heldMs() < LEASE_TRUSTED_MS;
    const lane = startLane({ ...deps, holds }, workspaceId, { id, version, fence });
    lanes.set(id, lane);
    void lane.ended
      .catch((err: unknown) => logger.error({ err, forwarder: id }, 'a forwarder ended unexpectedly'))
      .finally(() => lanes.delete(id));
  }

  const rounds = createRounds({
    clock,
    periodMs: POLL_MS,
    round,
    failed(err) {
      lease.forget();
      logger.warn({ err }, 'forwarders could not be looked at; trying again');
    },
  });
  return {
    start: rounds.start,
    async stop() {
      await rounds.stop();
      for (const lane of lanes.values()) lane.stop();
      await Promise.allSettled([...lanes.values()].map((lane) => lane.ended));
      await lease.release();
    },
  };
}
