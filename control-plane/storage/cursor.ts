import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { invalidField } from '../errors.js';

/** Where a page ended: the sort key of its last row. */
export type CursorPosition = readonly (string | number)[];

/** What a cursor belongs to. One made for another workspace, list or filter is refused. */
export interface CursorScope {
  workspaceId: string;
  /** Name of the list: `monitors`, `results`. */
  list: string;
  /** The query without `cursor` and `limit`. */
  filters: Record<string, unknown>;
}

export interface Cursors {
  encode(scope: CursorScope, position: CursorPosition): string;
  /** Throws 422 for anything that this server did not make for this scope. */
  decode(scope: CursorScope, cursor: string): CursorPosition;
}

const MAC_BYTES = 16;
const KEY_BYTES = 32;
export const CURSOR_CHARS_MAX = 512;

/**
 * `secret` is the server's master key, of which the cursors' own key is derived: every control plane of an
 * installation has the same one, so a walk may go on at another.
 */
export function createCursors(secret: Buffer): Cursors {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'picket list cursor', KEY_BYTES));
  const mac = (scope: CursorScope, payload: Buffer) =>
    createHmac('sha256', key)
      .update(JSON.stringify([scope.workspaceId, scope.list, sortedMembers(scope.filters)]))
      .update('\0')
      .update(payload)
      .digest()
      .subarray(0, MAC_BYTES);
  return {
    encode(scope, position) {
      const payload = Buffer.from(JSON.stringify(position));
      return Buffer.concat([mac(scope, payload), payload]).toString('base64url');
    },
    decode(scope, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      const payload = bytes.subarray(MAC_BYTES);
      // Buffer.from skips what is not base64url, so the text must also be what the bytes encode to.
      const isOurs =
        bytes.length > MAC_BYTES &&
        bytes.toString('base64url') === cursor &&
        timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(scope, payload));
      if (!isOurs) throw invalidField('/query/cursor', 'is not a cursor of this list with these filters');
      return JSON.parse(payload.toString());
    },
  };
}

function sortedMembers(filters: Record<string, unknown>): [string, unknown][] {
  return Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * The rest of a list sorted by `_id`, newest first. Ids are made in order of time and never change, so rows that
 * come are all before the first page and rows that go leave no gap: each row is met exactly once.
 */
export function newestFirst(after: CursorPosition | null) {
  const sort = { _id: -1 } as const;
  return after === null ? { filter: {}, sort } : { filter: { _id: { $lt: String(after[0]) } }, sort };
}

/** As `newestFirst`, for a list sorted by a time that never changes and then by `_id`. */
export function newestFirstBy(field: string, after: CursorPosition | null) {
  const sort = { [field]: -1, _id: -1 } as const;
  if (after === null) return { filter: {}, sort };
  const [time, id] = [Number(after[0]), String(after[1])];
  // The first condition lets the index skip to the place; $or alone would not bound the scan.
  return {
    filter: { [field]: { $lte: time }, $or: [{ [field]: { $lt: time } }, { [field]: time, _id: { $lt: id } }] },
    sort,
  };
}
