import type { Assignments } from '../../../proto/generated/picket/link/v1/Assignments.js';
import type { MonitorAssignment } from '../../../proto/generated/picket/link/v1/MonitorAssignment.js';

const ASSIGNMENTS_PER_MESSAGE_MAX = 500;
/** Monitors can have large bodies and headers, and a message over 4 MiB would fail at every reconnect. */
const MESSAGE_BYTES_MAX = 1_048_576;
/** The size of an assignment without its texts. */
const FIXED_BYTES = 100;
/** The longest UTF-8 encoding of one UTF-16 unit. */
const BYTES_PER_UNIT_MAX = 3;

/**
 * Returns a snapshot or a difference as messages of bounded size. The final message has `last`. An empty set is one
 * message.
 */
export function splitAssignments(
  revision: number,
  snapshot: boolean,
  put: readonly MonitorAssignment[],
  remove: readonly string[],
): Assignments[] {
  const messages: Assignments[] = [];
  let piece: { put: MonitorAssignment[]; remove: string[] } = { put: [], remove: [] };
  let bytes = 0;
  const room = (size: number) => {
    const full =
      piece.put.length + piece.remove.length >= ASSIGNMENTS_PER_MESSAGE_MAX || bytes + size > MESSAGE_BYTES_MAX;
    if (full && bytes > 0) {
      messages.push({ revision, snapshot, last: false, ...piece });
      piece = { put: [], remove: [] };
      bytes = 0;
    }
    bytes += size;
  };
  for (const id of remove) {
    room(FIXED_BYTES);
    piece.remove.push(id);
  }
  for (const assignment of put) {
    room(sizeOf(assignment));
    piece.put.push(assignment);
  }
  messages.push({ revision, snapshot, last: true, ...piece });
  return messages;
}

/** Returns an upper bound of the encoded size. */
function sizeOf({ url = '', http }: MonitorAssignment): number {
  const texts = [url, http?.keyword, http?.keywordAbsent, http?.body, ...Object.entries(http?.headers ?? {}).flat()];
  return texts.reduce((sum, text) => sum + (text?.length ?? 0) * BYTES_PER_UNIT_MAX + 4, FIXED_BYTES);
}
