import type { Listed } from './listed.ts';

/** A line of the list: a monitor, or the heading of those with a tag. `tag` is null for those without any. */
export type Item =
  | { kind: 'monitor'; row: Listed }
  | { kind: 'group'; tag: string | null; count: number; down: number };

/** Returns the lines of a list that is not grouped. */
export function ungrouped(rows: readonly Listed[]): Item[] {
  return rows.map((row) => ({ kind: 'monitor', row }));
}

/**
 * Returns the lines of a list that is grouped by tag: groups with monitors that are down first, then by name, those
 * without a tag last. A monitor with two tags is in both groups.
 */
export function groupedByTag(rows: readonly Listed[]): Item[] {
  const groups = new Map<string | null, Listed[]>();
  for (const row of rows) {
    const { tags } = row.monitor;
    for (const tag of tags.length === 0 ? [null] : tags) {
      const group = groups.get(tag);
      if (group === undefined) groups.set(tag, [row]);
      else group.push(row);
    }
  }
  const ordered = [...groups].map(([tag, members]) => ({
    ...{ tag, members },
    down: members.filter(({ state }) => state === 'down').length,
  }));
  ordered.sort((a, b) => Number(b.down > 0) - Number(a.down > 0) || compareTags(a.tag, b.tag));
  return ordered.flatMap(({ tag, members, down }): Item[] => [
    { kind: 'group', tag, count: members.length, down },
    ...ungrouped(members),
  ]);
}

function compareTags(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return a.localeCompare(b);
}

/** Returns the index of the next monitor from `index` on, in steps of 1 or -1; null at the end of the list. */
export function nextMonitor(items: readonly Item[], index: number, step: 1 | -1): number | null {
  for (let at = index; at >= 0 && at < items.length; at += step) {
    if (items[at]?.kind === 'monitor') return at;
  }
  return null;
}

/** Returns the ids of the monitors between two lines, both included. */
export function idsBetween(items: readonly Item[], from: number, to: number): string[] {
  return items
    .slice(Math.min(from, to), Math.max(from, to) + 1)
    .flatMap((item) => (item.kind === 'monitor' ? [item.row.monitor.id] : []));
}
