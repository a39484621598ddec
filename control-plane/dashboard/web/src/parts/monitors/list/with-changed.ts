import type { Listed } from './listed.ts';

/**
 * Returns the rows with what was read again of the monitors `ids`: changed ones in their place, new ones at the end. Those
 * that the API does not have any more are left out. Pure.
 */
export function withChanged(rows: readonly Listed[], ids: readonly string[], read: readonly Listed[]): Listed[] {
  const changed = new Set(ids);
  const fresh = new Map(read.map((row) => [row.monitor.id, row]));
  const kept = rows.flatMap((row) => {
    const { id } = row.monitor;
    if (!changed.has(id)) return [row];
    const now = fresh.get(id);
    fresh.delete(id);
    return now === undefined ? [] : [now];
  });
  return [...kept, ...fresh.values()];
}
