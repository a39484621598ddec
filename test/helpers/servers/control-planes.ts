import type { Db } from 'mongodb';
import type { ControlPlaneDocument, PresenceDocument } from '../../../control-plane/nodes/documents.js';
import { createControlPlaneStore } from '../../../control-plane/nodes/presence/control-planes-store.js';

/** The heartbeats of control planes, at times of the test's choice. All are relative to the database's clock. */
export interface ControlPlanes {
  /** A control plane that has run for long and runs on, for longer than a test. */
  receives(id: string): Promise<void>;
  /** A control plane that has run for long and whose last heartbeat is this old. */
  heard(id: string, agoMs: number): Promise<void>;
  /** A control plane that has just started, and stays so for longer than a test. */
  started(id: string): Promise<void>;
  /** A control plane that runs and whose agents get more time to reconnect, for longer than a test. */
  waits(id: string): Promise<void>;
  /** Stores a heartbeat. Resolves to the times of the control plane before and after it. */
  beat(id: string): Promise<readonly [PlaneTimes, PlaneTimes]>;
  /** Stores that the control plane holds the stream of the agent, which was opened this long ago. */
  holds(id: string, agentId: string, sinceMs: number): Promise<void>;
}

/** The times of a `ControlPlaneDocument`. */
interface PlaneTimes {
  seenMs: number;
  completeMs: number;
  receivedUntilMs: number | null;
}

/** As if the next heartbeats had been written already, so that a slow machine does not look like a pause. */
const AHEAD_MS = 3_600_000;

export function controlPlanes(db: Db): ControlPlanes {
  const store = createControlPlaneStore(db);
  const planes = db.collection<ControlPlaneDocument>('control_planes');
  async function heard(id: string, agoMs: number): Promise<void> {
    await store.beat(id);
    const complete_from = { $subtract: ['$$NOW', Math.max(agoMs, 0) + 1] };
    await planes.updateOne({ _id: id }, [{ $set: { seen_at: { $subtract: ['$$NOW', agoMs] }, complete_from } }]);
  }
  async function timesOf(id: string): Promise<PlaneTimes> {
    const plane = await planes.findOne({ _id: id });
    if (plane === null) throw new Error(`no control plane ${id}`);
    return {
      seenMs: plane.seen_at.getTime(),
      completeMs: plane.complete_from.getTime(),
      receivedUntilMs: plane.received_until?.getTime() ?? null,
    };
  }
  return {
    heard,
    async beat(id) {
      const before = await timesOf(id);
      await store.beat(id);
      return [before, await timesOf(id)];
    },
    receives: (id) => heard(id, -AHEAD_MS),

    async started(id) {
      await planes.deleteOne({ _id: id });
      await store.beat(id);
      const later = (field: string) => ({ $add: [field, AHEAD_MS] });
      const shifted = { seen_at: later('$seen_at'), complete_from: later('$complete_from') };
      await planes.updateOne({ _id: id }, [{ $set: shifted }]);
    },
    async waits(id) {
      await heard(id, -AHEAD_MS);
      await planes.updateOne({ _id: id }, [{ $set: { complete_from: '$seen_at' } }]);
    },
    async holds(id, agentId, sinceMs) {
      await db
        .collection<PresenceDocument>('agent_presence')
        .updateOne(
          { _id: agentId },
          [{ $set: { control_plane: id, connected: true, claimed_at: { $subtract: ['$$NOW', sinceMs] } } }],
          { upsert: true },
        );
    },
  };
}
