import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { AssignedSlots } from '../nodes.js';
import type { NodeStore } from '../store.js';
import { createShareHistory, type ShareHistory } from './share-history.js';
import type { ShareStore } from './shares-store.js';

/** Remembers which monitors the probes of this control plane were assigned, here and by other control planes. */
export interface ProbeShares extends Omit<AssignedSlots, 'refresh'> {
  /** The probe has opened a stream here and gets its share of the location's monitors among these probes. */
  open(nodeId: string, members: readonly string[]): void;
  /** The probe gets its share among other probes. */
  change(nodeId: string, members: readonly string[]): void;
  /** The probe has been gone for so long that nothing of its stream is left. */
  forget(nodeId: string): void;
  stop(): void;
}

const RETRY_MS = 5_000;
/** How often the shares of connected probes are written, so that the database does not remove them as expired. */
const RENEWAL_MS = 3_600_000;

/** One probe. */
interface Entry {
  history: ShareHistory;
  /** Settles when the stored shares are in the history; null before that is tried and after it has failed. */
  loading: Promise<void> | null;
  loaded: boolean;
}

export function createProbeShares(needs: {
  store: ShareStore;
  nodes: Pick<NodeStore, 'findProbe'>;
  clock: Clock;
  logger: Logger;
}): ProbeShares {
  const { store, nodes, clock, logger } = needs;
  const entries = new Map<string, Entry>();

  async function load(nodeId: string, entry: Entry): Promise<void> {
    const [stored, node] = await Promise.all([store.of(nodeId), nodes.findProbe(nodeId)]);
    entry.history.merge(stored, node?.enrolled_at_ms ?? 0);
    entry.loaded = true;
    void save(nodeId, entry);
  }

  function ready(nodeId: string): Promise<void> {
    const entry = entries.get(nodeId);
    if (entry === undefined) return Promise.resolve();
    entry.loading ??= load(nodeId, entry).catch((error: unknown) => {
      entry.loading = null;
      throw error;
    });
    return entry.loading;
  }

  /** Writes what is not written yet. */
  async function save(nodeId: string, { history, loaded }: Entry): Promise<void> {
    const shares = loaded ? history.takeUnsaved() : [];
    if (shares.length === 0) return;
    try {
      await store.save(nodeId, shares);
    } catch (error) {
      history.keepUnsaved(shares);
      logger.warn({ err: error, node: nodeId }, `failed to store the share of a probe, retrying in ${RETRY_MS} ms`);
    }
  }

  /** Loads, then writes. What fails is repeated by the timer. */
  function synchronize(nodeId: string, entry: Entry): void {
    if (entry.loaded) void save(nodeId, entry);
    else ready(nodeId).catch((error: unknown) => logger.debug({ err: error }, 'failed to read the shares of a probe'));
  }

  const timers = [
    clock.every(RETRY_MS, () => {
      for (const [nodeId, entry] of entries) synchronize(nodeId, entry);
    }),
    clock.every(RENEWAL_MS, () => {
      for (const { history } of entries.values()) history.renew(clock.now());
    }),
  ];
  return {
    ready,
    isAssigned: (nodeId, monitorId, atMs) => entries.get(nodeId)?.history.has(monitorId, atMs) === true,
    open(nodeId, members) {
      const history = entries.get(nodeId)?.history ?? createShareHistory(nodeId);
      const entry = { history, loading: null, loaded: false };
      entries.set(nodeId, entry);
      history.open(members, clock.now());
      synchronize(nodeId, entry);
    },
    change(nodeId, members) {
      const entry = entries.get(nodeId);
      if (entry === undefined) return;
      entry.history.change(members, clock.now());
      synchronize(nodeId, entry);
    },
    forget: (nodeId) => void entries.delete(nodeId),
    stop() {
      for (const timer of timers) timer.cancel();
    },
  };
}
