/** The JSON text of each row by the id of its monitor, newest first. */
export type RowTexts = ReadonlyMap<string, string>;

/** What can be asked quickly about the list of a workspace. */
export interface ListState {
  /** Another name means that something has changed. */
  name: string;
  /** The time of the newest change of a setting; null without a recent one. */
  newest: Date | null;
  /** The monitors that are down. */
  down: readonly string[];
}

/** Above this, reading the whole list takes no longer. */
export const ROWS_MAX = 1_000;

/**
 * Returns the monitors whose rows may differ between two states: those that were `written`, and those whose status is
 * another one. null if they are so many that the whole list is read. Pure.
 */
export function changedRows(before: ListState, now: ListState, written: readonly string[]): readonly string[] | null {
  const [wasDown, isDown] = [new Set(before.down), new Set(now.down)];
  const changed = new Set(written);
  for (const id of wasDown) if (!isDown.has(id)) changed.add(id);
  for (const id of isDown) if (!wasDown.has(id)) changed.add(id);
  return changed.size > ROWS_MAX ? null : [...changed];
}

/** Returns the list in which the rows of `ids` are those of `read`; those that are missing there were deleted. Pure. */
export function withRows(rows: RowTexts, ids: readonly string[], read: RowTexts): RowTexts {
  const next = new Map(rows);
  let isOrdered = true;
  for (const id of ids) {
    const text = read.get(id);
    if (text === undefined) next.delete(id);
    else {
      isOrdered &&= next.has(id);
      next.set(id, text);
    }
  }
  if (isOrdered) return next;
  return new Map([...next].sort(([a], [b]) => (a < b ? 1 : -1)));
}

/** Returns at most `rowsMax` rows after the one with the id `after`, which need not exist; the newest for null. Pure. */
export function rowsAfter(rows: RowTexts, after: string | null, rowsMax: number): { _id: string; text: string }[] {
  const found: { _id: string; text: string }[] = [];
  for (const [_id, text] of rows) {
    if (after !== null && _id >= after) continue;
    found.push({ _id, text });
    if (found.length === rowsMax) break;
  }
  return found;
}
