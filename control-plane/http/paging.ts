import { type Static, type TSchema, Type } from 'typebox';
import type { Actor } from '../actor.js';
import { CURSOR_CHARS_MAX, type Cursors, type SortKey } from '../storage/cursor.js';
import type { PageRequest, TimePosition } from '../storage/page.js';
import type { Reply } from './route.js';

const PAGE_ROWS_DEFAULT = 50;
const PAGE_ROWS_MAX = 200;

/** The two parameters of every list, to spread into the query schema of its route. */
export const PageParameters = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: PAGE_ROWS_MAX, default: PAGE_ROWS_DEFAULT, description: 'Rows per page.' }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: CURSOR_CHARS_MAX,
      description: '`next_cursor` of the previous page. The filters must be the same.',
    }),
  ),
};

const PageQuery = Type.Object(PageParameters);
type PageQuery = Static<typeof PageQuery>;

/** How a list is sorted: what its cursors carry of a row, and how stores name that place. */
export interface ListOrder<Row, Position> {
  keyOf(row: Row): SortKey;
  positionOf(key: SortKey): Position;
}

/** The order of a list that is sorted by one unique text of its rows. */
export function byKey<Row>(keyOf: (row: Row) => string): ListOrder<Row, string> {
  return { keyOf: (row) => [keyOf(row)], positionOf: ([key]) => String(key) };
}

/** The order of a list that is sorted by id. */
export const BY_ID = byKey((row: { _id: string }) => row._id);

/** The order of a list that is sorted by a time and then by id. */
export function byTime<Row>(positionOf: (row: Row) => TimePosition): ListOrder<Row, TimePosition> {
  return {
    keyOf(row) {
      const { atMs, id } = positionOf(row);
      return [atMs, id];
    },
    positionOf: ([atMs, id]) => ({ atMs: Number(atMs), id: String(id) }),
  };
}

/** The reply of a list route. */
export interface ListReply extends Reply {
  status: 200;
  data: readonly unknown[];
  /** null on the last page. */
  nextCursor: string | null;
}

/** One page of a list while a request is served. */
export interface Page<Row, Position> {
  /** What the store must read. */
  request: PageRequest<Position>;
  /**
   * Returns the reply with the rows that were read for `request`, as `present` shows them. A page that is not full although
   * there may be more continues behind the row `readTo`.
   */
  reply<Read extends Row>(
    rows: readonly Read[],
    present: (rows: readonly Read[]) => readonly unknown[] | Promise<readonly unknown[]>,
    readTo?: Row | null,
  ): Promise<ListReply>;
}

export interface Pager {
  /** Opens the page that a request asks for; 422 when its cursor is of another list, workspace or filter. */
  open<Row, Position>(
    list: string,
    order: ListOrder<Row, Position>,
    input: { actor: Pick<Actor, 'workspaceId'>; query: PageQuery & Record<string, unknown> },
  ): Page<Row, Position>;
}

export function createPager(cursors: Cursors): Pager {
  return {
    open(list, order, { actor, query }) {
      const { limit = PAGE_ROWS_DEFAULT, cursor, ...filters } = query;
      const scope = { workspaceId: actor.workspaceId, list, filters };
      const after = cursor === undefined ? null : order.positionOf(cursors.decode(scope, cursor));
      return {
        request: { rowsMax: limit + 1, after },
        async reply(read, present, readTo = null) {
          const rows = read.slice(0, limit);
          const last = read.length > limit ? rows.at(-1) : readTo;
          const nextCursor = last === null || last === undefined ? null : cursors.encode(scope, order.keyOf(last));
          return { status: 200, data: await present(rows), nextCursor };
        },
      };
    },
  };
}

/** Returns the JSON object of a list's answer. */
export function listEnvelope({ data, nextCursor, searchedTo }: Pick<Reply, 'data' | 'nextCursor' | 'searchedTo'>) {
  const envelope = { data, next_cursor: nextCursor ?? null };
  return searchedTo === undefined ? envelope : { ...envelope, searched_to: searchedTo };
}

const SearchedTo = Type.Optional(
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description:
      'Only with `q`: where the search ended for now, although the page is not full; `next_cursor` continues there. null if it was not cut off.',
    examples: [null],
  }),
);

/** Returns the schema of `listEnvelope`, from the schema of the rows or of one row. */
export function listEnvelopeSchema(rows: TSchema, isSearched: boolean): TSchema {
  const isArray = 'type' in rows && rows.type === 'array';
  const next_cursor = Type.Union([Type.String(), Type.Null()], {
    description: '`cursor` of the next page; null on the last page.',
    examples: [null],
  });
  const envelope = { data: isArray ? rows : Type.Array(rows), next_cursor };
  return Type.Object(isSearched ? { ...envelope, searched_to: SearchedTo } : envelope, { additionalProperties: false });
}

/** Returns the same reply with its body already written, for several requests that share one read. */
export function serializedList(reply: ListReply): Reply {
  const body = Buffer.from(JSON.stringify(listEnvelope(reply)));
  return { status: 200, raw: { type: 'application/json; charset=utf-8', body } };
}
