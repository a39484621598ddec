import { type CoverageLimits, coversUntil } from '../uptime/covering.js';
import { bySlot, type RolledResult } from './rolled-result.js';

/** Returns both lists as one, in order, each result once. */
export function mergeResults(known: readonly RolledResult[], more: readonly RolledResult[]): RolledResult[] {
  const byKey = new Map<string, RolledResult>();
  for (const result of [...known, ...more]) byKey.set(keyOf(result), result);
  return [...byKey.values()].sort(bySlot);
}

/** Returns the results of `incoming` that are not in `known`, each once. */
export function newResults(known: readonly RolledResult[], incoming: readonly RolledResult[]): RolledResult[] {
  if (incoming.length === 0) return [];
  const seen = new Set(known.map(keyOf));
  return incoming.filter((result) => {
    const key = keyOf(result);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/**
 * Returns the results that still matter at `atMs`: the last result of each location before it, if it still covers its
 * location, and every result from then on.
 */
export function carriedResults(results: readonly RolledResult[], limits: CoverageLimits, atMs: number): RolledResult[] {
  const last = new Map<string, RolledResult>();
  const later: RolledResult[] = [];
  for (const result of results) {
    if (result.slot_ms >= atMs) later.push(result);
    else last.set(result.location, result);
  }
  const covering = [...last.values()].filter((result) => coversUntil(result, limits) > atMs);
  return [...covering.sort(bySlot), ...later];
}

function keyOf(result: RolledResult): string {
  return `${result.slot_ms}/${result.location}/${result.attempt}`;
}
