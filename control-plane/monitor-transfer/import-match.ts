import { isDeepStrictEqual } from 'node:util';
import type { MonitorDocument } from '../monitors/documents.js';
import { type MonitorSettings, settingsOf } from '../monitors/settings.js';

export type ImportMatch =
  | { action: 'created' }
  | { action: 'unchanged' | 'updated'; monitor: MonitorDocument }
  | { action: 'refused'; code: 'validation_failed' | 'plan_limit'; reason: string };

/**
 * Which monitor each entry means. By name; names may repeat, so an equal monitor goes first, then one with the same
 * target, then the only one of the name. No monitor is meant twice. `existing` is oldest first.
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
  const waiting = new Map<string, number>();
  entries.forEach((entry, index) => {
    if (matches[index] === null) waiting.set(entry.name, (waiting.get(entry.name) ?? 0) + 1);
  });
  return entries.map((entry, index) => matches[index] ?? byNameAlone(entry, free, waiting.get(entry.name) ?? 0));
}

function byNameAlone(entry: MonitorSettings, free: Map<string, MonitorDocument[]>, waiting: number): ImportMatch {
  const candidates = free.get(entry.name) ?? [];
  const [only] = candidates;
  if (only === undefined) return { action: 'created' };
  if (candidates.length === 1 && waiting === 1) return { action: 'updated', monitor: only };
  const reason = `more than one monitor has the name ${entry.name}, and none of them this target: which one is meant cannot be told`;
  return { action: 'refused', code: 'validation_failed', reason };
}
