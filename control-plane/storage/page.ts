/** The page of a list that a store reads. */
export interface PageRequest<Position = string> {
  /** One row more than the page holds, to see whether there is another page. */
  rowsMax: number;
  /** Where the previous page ended; null for the first page. */
  after: Position | null;
}

/** A place in a list that is sorted by a time and then by id. */
export interface TimePosition {
  atMs: number;
  id: string;
}

/**
 * Returns the filter and the sort for the rest of a list sorted by `_id`, newest first. Ids sort by creation and never
 * change, so new rows come before the first page and deleted rows leave no gap: a walk meets each row exactly once.
 */
export function newestFirst(afterId: string | null) {
  const sort = { _id: -1 } as const;
  return afterId === null ? { filter: {}, sort } : { filter: { _id: { $lt: afterId } }, sort };
}

/** The same for a list sorted by a time that never changes, and then by `_id`. */
export function newestFirstBy(field: string, after: TimePosition | null) {
  const sort = { [field]: -1, _id: -1 } as const;
  if (after === null) return { filter: {}, sort };
  const { atMs, id } = after;
  // The first condition lets the index start at the right place; $or alone does not limit the scan.
  return {
    filter: { [field]: { $lte: atMs }, $or: [{ [field]: { $lt: atMs } }, { [field]: atMs, _id: { $lt: id } }] },
    sort,
  };
}
