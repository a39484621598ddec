import type { Assignments__Output } from '../../proto/generated/picket/link/v1/Assignments.js';
import type { Assignment } from '../schedule.js';

/** The monitors this probe holds, kept in step with what the control plane sends. */
export interface Assignments {
  /** Changes take effect as they come; what a snapshot no longer names goes when the snapshot is complete. */
  apply(message: Assignments__Output): void;
  /**
   * Takes up what an earlier process held, besides what is held already. It is no complete set, so that the control
   * plane sends a snapshot.
   */
  restore(assignments: readonly Assignment[]): void;
  /** A new session: half a snapshot of the one before is worth nothing. */
  restart(): void;
  get(monitorId: string): Assignment | null;
  all(): Assignment[];
  /** What is held completely; 0 where nothing is, so that a snapshot is sent. */
  revision(): number;
}

export function createAssignments(changed: {
  put(assignment: Assignment): void;
  remove(monitorId: string): void;
}): Assignments {
  const held = new Map<string, Assignment>();
  let revision = 0;
  /** What the snapshot has named so far; null outside one. */
  let named: Set<string> | null = null;

  function put(assignment: Assignment): void {
    held.set(assignment.monitorId, assignment);
    changed.put(assignment);
  }

  function remove(monitorId: string): void {
    if (held.delete(monitorId)) changed.remove(monitorId);
  }

  return {
    apply(message) {
      if (message.snapshot) named ??= new Set();
      for (const assignment of message.put) {
        if (!isDueSometimes(assignment)) continue;
        named?.add(assignment.monitorId);
        put(assignment);
      }
      for (const monitorId of message.remove) {
        named?.delete(monitorId);
        remove(monitorId);
      }
      if (message.snapshot && message.last && named !== null) {
        for (const monitorId of [...held.keys()]) if (!named.has(monitorId)) remove(monitorId);
        named = null;
      }
      if (message.last && named === null) revision = message.revision;
    },
    restore(assignments) {
      for (const assignment of assignments) {
        if (isDueSometimes(assignment) && !held.has(assignment.monitorId)) put(assignment);
      }
    },
    restart() {
      named = null;
    },
    get: (monitorId) => held.get(monitorId) ?? null,
    all: () => [...held.values()],
    revision: () => revision,
  };
}

/** An interval of nothing would be due for ever. */
function isDueSometimes(assignment: Assignment): boolean {
  return assignment.intervalSeconds >= 1;
}
