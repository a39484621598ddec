import { type Static, Type } from 'typebox';
import type { Actor } from '../actor.js';
import { CURSOR_CHARS_MAX, type CursorPosition, type Cursors } from '../storage/cursor.js';

export const PAGE_ROWS_DEFAULT = 50;
export const PAGE_ROWS_MAX = 200;

/** The two parameters of every list; spread into the query schema of its route. */
export const PageParameters = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: PAGE_ROWS_MAX, default: PAGE_ROWS_DEFAULT, description: 'Rows in a page.' }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: CURSOR_CHARS_MAX,
      description: '`next_cursor` of the page before, with the same filters.',
    }),
  ),
};

const PageQuery = Type.Object(PageParameters);
type PageQuery = Static<typeof PageQuery>;

/** What a store needs to know to read a page. */
export interface PageRequest {
  /** One more than the page holds, to see whether there is another. */
  rowsMax: number;
  /** null for the first page. */
  after: CursorPosition | null;
}

export interface Page {
  request: PageRequest;
  /** Cuts the rows read with `request` to the page and says where the next one begins. */
  reply<Row>(rows: readonly Row[], position: (row: Row) => CursorPosition): { rows: Row[]; nextCursor: string | null };
}

export interface Pager {
  /** Opens the page that a request asks for; 422 when its cursor is of another list, workspace or filter. */
  open(list: string, input: { actor: Pick<Actor, 'workspaceId'>; query: PageQuery & Record<string, unknown> }): Page;
}

export function createPager(cursors: Cursors): Pager {
  return {
    open(list, { actor, query }) {
      const { limit = PAGE_ROWS_DEFAULT, cursor, ...filters } = query;
      const scope = { workspaceId: actor.workspaceId, list, filters };
      return {
        request: { rowsMax: limit + 1, after: cursor === undefined ? null : cursors.decode(scope, cursor) },
        reply(rows, position) {
          const page = rows.slice(0, limit);
          const last = page.at(-1);
          const more = rows.length > limit && last !== undefined;
          return { rows: page, nextCursor: more ? cursors.encode(scope, position(last)) : null };
        },
      };
    },
  };
}
