import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { createPeriodicTask } from '../../../kernel/periodic-task.js';
import type { StandingOf } from '../../plans/cache.js';
import type { Standing } from '../../plans/standing.js';
import type { Job } from '../../slice.js';
import type { AgentReception } from '../nodes.js';
import type { ControlPlaneStore } from './control-planes-store.js';
import { type AgedControlPlane, isLost, PAUSE_MS, receivedUntilMs } from './lost.js';
import type { PresenceStore } from './store.js';

const BEAT_MS = 1_000;

/**
 * Stores the heartbeat of this control plane, and reads those of all. The heartbeat has a timer of its own, so that no
 * other work of this process looks like a pause.
 */
export function createReception(needs: {
  store: ControlPlaneStore;
  /** Of agents. */
  presenceStore: Pick<PresenceStore, 'holders'>;
  /** The id of this process among all control planes. */
  controlPlane: string;
  standingOf: StandingOf;
  clock: Clock;
  logger: Logger;
}): AgentReception & Job & { stop(): Promise<void> } {
  const { store, presenceStore, controlPlane, clock, logger } = needs;
  let read: { planes: AgedControlPlane[]; atMs: number } = { planes: [], atMs: clock.monotonic() };

  const task = createPeriodicTask({
    clock,
    periodMs: BEAT_MS,
    firstMs: 0,
    async run() {
      await store.beat(controlPlane);
      read = { planes: await store.newest(), atMs: clock.monotonic() };
    },
    onFailure: (error) => logger.warn({ err: error }, 'writing the heartbeat of this control plane failed, retrying'),
  });

  return {
    start: task.start,
    async stop() {
      await task.stop();
      await store.leave(controlPlane).catch((error: unknown) => {
        logger.warn({ err: error }, 'failed to record that this control plane stops; its heartbeat expires');
      });
    },
    async lost(agents) {
      if (agents.length === 0) return new Set();
      const [planes, holders] = await Promise.all([store.newest(), presenceStore.holders(agents.map(({ id }) => id))]);
      const lost = agents.filter(({ id, silentMs }) => isLost(silentMs, holders.get(id) ?? null, planes));
      const standings = new Map<string, Standing | null>();
      for (const { workspaceId } of lost) {
        if (!standings.has(workspaceId)) standings.set(workspaceId, await needs.standingOf(workspaceId));
      }
      return new Set(
        lost.flatMap(({ id, workspaceId }) => (standings.get(workspaceId)?.agentsExcused === true ? [] : [id])),
      );
    },
    receivedUntilMs() {
      const [newest] = read.planes;
      if (newest === undefined) return null;
      // Without a newer read, the database or this process was not available, and nothing was received.
      const sinceMs = Math.min(clock.monotonic() - read.atMs, PAUSE_MS);
      return receivedUntilMs(read.planes, newest.seen_at_ms + newest.age_ms + sinceMs);
    },
  };
}
