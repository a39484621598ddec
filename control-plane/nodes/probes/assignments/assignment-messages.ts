import type { MonitorAssignment } from '../../../../proto/generated/picket/link/v1/MonitorAssignment.js';

const ASSIGNMENTS_PER_MESSAGE_MAX = 500;
/** Monitors can have large bodies and headers, and a message over 4 MiB would fail at every reconnect. */
const MESSAGE_BYTES_MAX = 1_048_576;
/** The size of an assignment without its texts. */
const FIXED_BYTES = 100;
/** The longest UTF-8 encoding of one UTF-16 unit. */
const BYTES_PER_UNIT_MAX = 3;

/** What one message changes. Each monitor is in it once. */
export interface AssignmentChanges {
  put: MonitorAssignment[];
  remove: string[];
}

/** Collects changes for messages of bounded size. */
interface ChangeCollector {
  /** Returns whether a message was sent to make room. */
  put(assignment: MonitorAssignment): boolean;
  /** Returns whether a message was sent to make room. */
  remove(monitorId: string): boolean;
  /** Returns what was collected since the last message. */
  take(): AssignmentChanges;
}

/** `send` is called when the next change does not fit into the message. */
export function createChangeCollector(send: (changes: AssignmentChanges) => void): ChangeCollector {
  let changes: AssignmentChanges = { put: [], remove: [] };
  let bytes = 0;

  function take(): AssignmentChanges {
    const taken = changes;
    changes = { put: [], remove: [] };
    bytes = 0;
    return taken;
  }

  function makeRoom(size: number): boolean {
    const count = changes.put.length + changes.remove.length;
    const isFull = count > 0 && (count >= ASSIGNMENTS_PER_MESSAGE_MAX || bytes + size > MESSAGE_BYTES_MAX);
    if (isFull) send(take());
    bytes += size;
    return isFull;
  }

  return {
    take,
    put(assignment) {
      const isSent = makeRoom(sizeOf(assignment));
      changes.put.push(assignment);
      return isSent;
    },
    remove(monitorId) {
      const isSent = makeRoom(FIXED_BYTES);
      changes.remove.push(monitorId);
      return isSent;
    },
  };
}

/** Returns an upper bound of the encoded size. */
function sizeOf({ url = '', http }: MonitorAssignment): number {
  const texts = [url, http?.keyword, http?.keywordAbsent, http?.body, ...Object.entries(http?.headers ?? {}).flat()];
  return texts.reduce((sum, text) => sum + (text?.length ?? 0) * BYTES_PER_UNIT_MAX + 4, FIXED_BYTES);
}
