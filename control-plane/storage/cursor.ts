import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { invalidField } from '../errors.js';

/** The sort key of the last row of a page, as a cursor carries it. */
export type SortKey = readonly (string | number)[];

/** What a cursor is valid for. A cursor of another workspace, list or filter is refused. */
export interface CursorScope {
  workspaceId: string;
  /** Name of the list: `monitors`, `results`. */
  list: string;
  /** The query without `cursor` and `limit`. */
  filters: Record<string, unknown>;
}

export interface Cursors {
  encode(scope: CursorScope, key: SortKey): string;
  /** Throws 422 for any text that is not a cursor of this installation for this scope. */
  decode(scope: CursorScope, cursor: string): SortKey;
}

const MAC_BYTES = 16;
const KEY_BYTES = 32;
export const CURSOR_CHARS_MAX = 512;

/**
 * Returns a codec whose cursors carry a message authentication code. Its key is derived from `secret`, which all
 * control planes of an installation share, so each of them accepts the cursors of the others.
 */
export function createCursors(secret: Buffer): Cursors {
  const macKey = Buffer.from(hkdfSync('sha256', secret, '', 'picket list cursor', KEY_BYTES));
  const mac = (scope: CursorScope, payload: Buffer) =>
    createHmac('sha256', macKey)
      .update(JSON.stringify([scope.workspaceId, scope.list, sortedFields(scope.filters)]))
      .update('\0')
      .update(payload)
      .digest()
      .subarray(0, MAC_BYTES);
  return {
    encode(scope, key) {
      const payload = Buffer.from(JSON.stringify(key));
      return Buffer.concat([mac(scope, payload), payload]).toString('base64url');
    },
    decode(scope, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      const payload = bytes.subarray(MAC_BYTES);
      // Buffer.from skips characters that are not base64url, so the bytes must also encode to the same text.
      const isValid =
        bytes.length > MAC_BYTES &&
        bytes.toString('base64url') === cursor &&
        timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(scope, payload));
      if (!isValid) throw invalidField('/query/cursor', 'is not a cursor of this list with these filters');
      return JSON.parse(payload.toString());
    },
  };
}

function sortedFields(filters: Record<string, unknown>): [string, unknown][] {
  return Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
