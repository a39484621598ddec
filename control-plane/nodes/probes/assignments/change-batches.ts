import type { Clock, Timer } from '../../../../kernel/clock.js';
import type { MonitorAssignment } from '../../../../proto/generated/picket/link/v1/MonitorAssignment.js';
import type { AssignmentChange, AssignmentSource } from '../../nodes.js';

/** Changes within this time are sent together, so that an import of a thousand monitors is a few messages. */
const BATCH_MS = 25;

/** The new assignments by location and monitor; null when the location no longer checks the monitor. */
type ChangeBatch = Map<string, Map<string, MonitorAssignment | null>>;

/** Subscribes to the source and calls `flush` with the changes of a short time together. */
export function batchChanges(
  { source, clock }: { source: AssignmentSource; clock: Clock },
  flush: (changes: ChangeBatch) => void,
): { stop(): void } {
  let batch: ChangeBatch = new Map();
  let timer: Timer | null = null;
  const unsubscribe = source.subscribe((change) => {
    add(batch, change);
    timer ??= clock.after(BATCH_MS, () => {
      const changes = batch;
      timer = null;
      batch = new Map();
      flush(changes);
    });
  });
  return {
    stop() {
      unsubscribe();
      timer?.cancel();
    },
  };
}

function add(batch: ChangeBatch, change: AssignmentChange): void {
  const set = (location: string, monitorId: string, assignment: MonitorAssignment | null) => {
    const changes = batch.get(location) ?? new Map<string, MonitorAssignment | null>();
    batch.set(location, changes.set(monitorId, assignment));
  };
  for (const { location, monitorId } of change.remove) set(location, monitorId, null);
  for (const { location, assignment } of change.put) {
    if (assignment.monitorId !== undefined) set(location, assignment.monitorId, assignment);
  }
}
