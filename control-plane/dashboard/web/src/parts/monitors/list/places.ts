import type { Item } from './items.ts';

/** A list, and the first and the last of its rows that are in the window. */
export interface Shown {
  items: readonly Item[];
  first: number;
  last: number;
}

/** A row that is in the page. */
interface Placed {
  /** Which of the places of the page has it. */
  place: number;
  index: number;
  item: Item;
}

/**
 * Returns what each of the `pool` places of the page shows: the rows in the window as they are `now`, and `around` rows
 * above and below it as they were `late`, because these may be drawn some frames later. A row keeps its place while it is
 * in the page. They are in the order of `late`, so that fast scrolling moves no elements, and the order that the Tab key
 * and screen readers follow is right as soon as it pauses. Pure.
 */
export function inPlaces(now: Shown, late: Shown, pool: number, around: number): Placed[] {
  const { length } = now.items;
  const places: (Placed | null)[] = Array(Math.min(pool, length)).fill(null);
  const put = (index: number, item: Item | undefined) => {
    const place = index % pool;
    if (item !== undefined && index < length && places[place] === null) places[place] = { place, index, item };
  };
  for (let index = now.first; index <= Math.min(now.last, now.first + pool - 1); index++) put(index, now.items[index]);
  const from = beginning(late, length, pool, around);
  for (let index = from; index < from + pool; index++) put(index, late.items[index]);
  const start = from % pool;
  return [...places.slice(start), ...places.slice(0, start)].filter((placed) => placed !== null);
}

/** The first of the rows that are in the page while the list stands still. */
const beginning = ({ first }: Shown, length: number, pool: number, around: number): number =>
  Math.max(0, Math.min(first - around, length - pool));

/** Returns the ids of the monitors that are in the page while the list stands still. Pure. */
export function idsInPlaces(shown: Shown, pool: number, around: number): ReadonlySet<string> {
  const { items } = shown;
  const from = beginning(shown, items.length, pool, around);
  return new Set(idsOf(items.slice(from, from + pool)));
}

/** Returns how many monitors of the window are not among `known`. Pure. */
export function newRows({ items, first, last }: Shown, known: ReadonlySet<string>): number {
  return idsOf(items.slice(first, last + 1)).filter((id) => !known.has(id)).length;
}

const idsOf = (items: readonly Item[]): string[] =>
  items.flatMap((item) => (item.kind === 'monitor' ? [item.row.monitor.id] : []));
