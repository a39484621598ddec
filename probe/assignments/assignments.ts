import type { Assignments__Output } from '../../proto/generated/picket/link/v1/Assignments.js';
import type { Assignment } from '../schedule.js';

/** The monitors that are assigned to this probe, updated by messages of the control plane. */
export interface Assignments {
  /** Applies changes at once. Monitors that are missing in a snapshot are removed when the snapshot is complete. */
  apply(message: Assignments__Output): void;
  /**
   * Adds the assignments that an earlier process saved, except for monitors that are already assigned. The revision
   * stays as it is, so that the control plane sends a snapshot.
   */
  restore(assignments: readonly Assignment[]): void;
  /** Must be called when a session starts. Discards the incomplete snapshot of the previous session. */
  restart(): void;
  get(monitorId: string): Assignment | null;
  all(): Assignment[];
  /** Returns the revision of the last complete set; 0 before it, so that the control plane sends a snapshot. */
  revision(): number;
}

export function createAssignments(changed: {
  put(assignment: Assignment): void;
  remove(monitorId: string): void;
}): Assignments {
  const assigned = new Map<string, Assignment>();
  let revision = 0;
  /** The monitors of the current snapshot so far; null outside a snapshot. */
  let inSnapshot: Set<string> | null = null;

  function put(assignment: Assignment): void {
    assigned.set(assignment.monitorId, assignment);
    changed.put(assignment);
  }

  function remove(monitorId: string): void {
    if (assigned.delete(monitorId)) changed.remove(monitorId);
  }

  return {
    apply(message) {
      if (message.snapshot) inSnapshot ??= new Set();
      for (const assignment of message.put) {
        if (!hasInterval(assignment)) continue;
        inSnapshot?.add(assignment.monitorId);
        put(assignment);
      }
      for (const monitorId of message.remove) {
        inSnapshot?.delete(monitorId);
        remove(monitorId);
      }
      if (message.snapshot && message.last && inSnapshot !== null) {
        for (const monitorId of [...assigned.keys()]) if (!inSnapshot.has(monitorId)) remove(monitorId);
        inSnapshot = null;
      }
      if (message.last && inSnapshot === null) revision = message.revision;
    },
    restore(assignments) {
      for (const assignment of assignments) {
        if (hasInterval(assignment) && !assigned.has(assignment.monitorId)) put(assignment);
      }
    },
    restart() {
      inSnapshot = null;
    },
    get: (monitorId) => assigned.get(monitorId) ?? null,
    all: () => [...assigned.values()],
    revision: () => revision,
  };
}

/** An assignment without an interval is ignored, because it would always be due. */
function hasInterval(assignment: Assignment): boolean {
  return assignment.intervalSeconds >= 1;
}
