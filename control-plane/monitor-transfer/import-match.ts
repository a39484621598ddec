import { isDeepStrictEqual } from 'node:util';
import type { MonitorDocument } from '../monitors/documents.js';
import { type MonitorSettings, settingsOf } from '../monitors/monitors.js';

export type ImportMatch =
  | { action: 'created' }
  | { action: 'unchanged' | 'updated'; monitor: MonitorDocument }
  | { action: 'refused'; code: 'validation_failed' | 'plan_limit'; reason: string };

/**
 * Returns which existing monitor each entry means. Entries match by name. Because names may repeat, a monitor with
 * equal settings matches first, then one with the same target, then the only one with the name. Each monitor matches
 * at most one entry. `existing` has the oldest first.
 */
export function matchImport(entries: readonly MonitorSettings[], existing: readonly MonitorDocument[]): ImportMatch[] {
  const free = new Map<string, MonitorDocument[]>();
  for (const monitor of existing) free.set(monitor.name, [...(free.get(monitor.name) ?? []), monitor]);
  const matches: (ImportMatch | null)[] = entries.map(() => null);

  function claim(action: 'unchanged' | 'updated', fits: (a: MonitorSettings, b: MonitorDocument) => boolean): void {
    entries.forEach((entry, index) => {
      if (matches[index] !== null) return;
      const candidates = free.get(entry.name) ?? [];
      const monitor = candidates.find((candidate) => fits(entry, candidate));
      if (monitor === undefined) return;
      free.set(
        entry.name,
        candidates.filter((candidate) => candidate !== monitor),
      );
      matches[index] = { action, monitor };
    });
  }

  claim('unchanged', (entry, monitor) => isDeepStrictEqual(entry, settingsOf(monitor)));
  claim('updated', (entry, monitor) => entry.url === monitor.url && entry.type === monitor.type);
  const unmatched = new Map<string, number>();
  entries.forEach((entry, index) => {
    if (matches[index] === null) unmatched.set(entry.name, (unmatched.get(entry.name) ?? 0) + 1);
  });
  return entries.map((entry, index) => matches[index] ?? matchByName(entry, free, unmatched.get(entry.name) ?? 0));
}

function matchByName(entry: MonitorSettings, free: Map<string, MonitorDocument[]>, unmatched: number): ImportMatch {
  const candidates = free.get(entry.name) ?? [];
  const [only] = candidates;
  if (only === undefined) return { action: 'created' };
  if (candidates.length === 1 && unmatched === 1) return { action: 'updated', monitor: only };
  const reason = `the match is ambiguous: several monitors or entries have the name ${entry.name}, and no monitor with that name has this target`;
  return { action: 'refused', code: 'validation_failed', reason };
}
