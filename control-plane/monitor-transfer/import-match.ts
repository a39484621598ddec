import { isDeepStrictEqual } from 'node:util';
import type { FieldError } from '../errors.js';
import type { MonitorDocument } from '../monitors/documents.js';
import { type MonitorSettings, secretsOf, unmasked } from '../monitors/monitors.js';

/** A stored monitor and its settings with their secrets. */
export interface ExistingMonitor {
  monitor: MonitorDocument;
  settings: MonitorSettings;
}

/** `settings` are those of the entry with its masks replaced: by the secrets of the monitor that it matches. */
export type ImportMatch =
  | { action: 'created'; settings: MonitorSettings }
  | { action: 'unchanged' | 'updated'; existing: ExistingMonitor; settings: MonitorSettings }
  | ImportRefusal;

/** The paths are JSON pointers into the entry. */
export interface ImportRefusal {
  action: 'refused';
  code: 'validation_failed' | 'plan_limit';
  errors: readonly FieldError[];
}

/**
 * Returns which existing monitor each entry means. Entries match by name. Because names may repeat, a monitor with
 * equal settings matches first, then one with the same target, then the only one with the name. Each monitor matches
 * at most one entry. `existing` has the oldest first. A mask that stands for no secret refuses its entry.
 */
export function matchImport(entries: readonly MonitorSettings[], existing: readonly ExistingMonitor[]): ImportMatch[] {
  const free = new Map<string, ExistingMonitor[]>();
  for (const one of existing) free.set(one.settings.name, [...(free.get(one.settings.name) ?? []), one]);
  const matches: (ImportMatch | null)[] = entries.map(() => null);

  function claim(
    action: 'unchanged' | 'updated',
    fits: (entry: MonitorSettings, existing: MonitorSettings) => boolean,
  ): void {
    entries.forEach((entry, index) => {
      if (matches[index] !== null) return;
      const candidates = free.get(entry.name) ?? [];
      const found = candidates.find(({ settings }) => fits(revealed(entry, settings), settings));
      if (found === undefined) return;
      free.set(
        entry.name,
        candidates.filter((candidate) => candidate !== found),
      );
      matches[index] = matchOf(action, entry, found);
    });
  }

  claim('unchanged', isDeepStrictEqual);
  claim('updated', (entry, candidate) => entry.url === candidate.url && entry.type === candidate.type);
  const unmatched = new Map<string, number>();
  entries.forEach((entry, index) => {
    if (matches[index] === null) unmatched.set(entry.name, (unmatched.get(entry.name) ?? 0) + 1);
  });
  return entries.map((entry, index) => matches[index] ?? matchByName(entry, free, unmatched.get(entry.name) ?? 0));
}

function matchByName(entry: MonitorSettings, free: Map<string, ExistingMonitor[]>, unmatched: number): ImportMatch {
  const candidates = free.get(entry.name) ?? [];
  const [only] = candidates;
  if (only === undefined) return newMonitor(entry);
  if (candidates.length === 1 && unmatched === 1) return matchOf('updated', entry, only);
  const message = `is ambiguous: several monitors or entries have the name ${entry.name}, and no monitor with that name has this target`;
  return { action: 'refused', code: 'validation_failed', errors: [{ path: '/name', message }] };
}

function revealed(entry: MonitorSettings, existing: MonitorSettings): MonitorSettings {
  return unmasked(entry, secretsOf(existing)).settings;
}

function newMonitor(entry: MonitorSettings): ImportMatch {
  return refusalOf(unmasked(entry, null).errors) ?? { action: 'created', settings: entry };
}

function matchOf(action: 'unchanged' | 'updated', entry: MonitorSettings, existing: ExistingMonitor): ImportMatch {
  const { settings, errors } = unmasked(entry, secretsOf(existing.settings));
  return refusalOf(errors) ?? { action, existing, settings };
}

function refusalOf(errors: readonly FieldError[]): ImportRefusal | null {
  return errors.length === 0 ? null : { action: 'refused', code: 'validation_failed', errors };
}
