import type { Assignments } from '../../../proto/generated/picket/link/v1/Assignments.js';
import type { MonitorAssignment } from '../../../proto/generated/picket/link/v1/MonitorAssignment.js';

export const ASSIGNMENTS_PER_MESSAGE_MAX = 500;
/** Monitors may carry bodies and headers; a message over 4 MiB would break a node's stream for ever. */
const MESSAGE_BYTES_MAX = 1_048_576;
/** Everything in an assignment besides its texts. */
const FIXED_BYTES = 100;
/** The longest encoding of one UTF-16 unit. */
const BYTES_PER_UNIT_MAX = 3;

/** A set or a difference as messages of bounded size; `last` stands on the final one. An empty set is one message. */
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

/** An upper bound of the encoded size. */
function sizeOf({ url = '', http }: MonitorAssignment): number {
  const texts = [url, http?.keyword, http?.keywordAbsent, http?.body, ...Object.entries(http?.headers ?? {}).flat()];
  return texts.reduce((sum, text) => sum + (text?.length ?? 0) * BYTES_PER_UNIT_MAX + 4, FIXED_BYTES);
}
