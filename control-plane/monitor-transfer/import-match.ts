import { isDeepStrictEqual } from 'node:util';
import type { FieldError } from '../errors.js';
import type { MonitorDocument } from '../monitors/documents.js';
import { type MonitorSettings, masked, secretsOf, shownSettings, unmasked } from '../monitors/monitors.js';
import { canonicalJson } from '../storage/canonical-json.js';
import { mapInParts, type Turn } from './in-parts.js';

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
 * at most one entry. `existing` has the oldest first. A mask that stands for no secret refuses its entry. Nothing is
 * compared in pairs: a file can have 2,000 entries of one name, and a workspace 50,000 monitors of that name. Other work of
 * the process runs at each `turn`.
 */
export async function matchImport(
  entries: readonly MonitorSettings[],
  existing: readonly ExistingMonitor[],
  turn: Turn,
): Promise<ImportMatch[]> {
  const matches = new Map<number, ImportMatch>();
  let free = existing;

  /** Matches the monitors that are free with the entries that have none yet and the same key, both in their order. */
  async function claim(
    keyOf: (settings: MonitorSettings) => string,
    shown: (settings: MonitorSettings) => MonitorSettings,
  ): Promise<void> {
    const keys = await mapInParts(entries, turn, (entry, index): [string, number][] =>
      matches.has(index) ? [] : [[keyOf(entry), index]],
    );
    const wanted = grouped(keys.flat());
    const taken = new Map<string, number>();
    const left = await mapInParts(free, turn, (one) => {
      const key = keyOf(shown(one.settings));
      const position = taken.get(key) ?? 0;
      const index = wanted.get(key)?.[position];
      const entry = index === undefined ? undefined : entries[index];
      if (index === undefined || entry === undefined) return [one];
      taken.set(key, position + 1);
      matches.set(index, matchOf(entry, one));
      return [];
    });
    free = left.flat();
  }

  // A file has either the secrets of a monitor or masks in their place. Files of earlier versions mask no values of queries.
  for (const keyOf of [canonicalJson, targetKey]) {
    await claim(keyOf, (settings) => settings);
    await claim(keyOf, shownSettings);
    await claim(keyOf, masked);
  }
  const unmatched = grouped(
    entries.flatMap(({ name }, index): [string, number][] => (matches.has(index) ? [] : [[name, index]])),
  );
  const left = grouped(free.map((one) => [one.settings.name, one]));
  return mapInParts(entries, turn, (entry, index) => {
    const { name } = entry;
    return matches.get(index) ?? matchByName(entry, left.get(name) ?? [], unmatched.get(name)?.length ?? 0);
  });
}

function targetKey({ name, url, type }: MonitorSettings): string {
  return JSON.stringify([name, url, type]);
}

function matchByName(entry: MonitorSettings, candidates: readonly ExistingMonitor[], unmatched: number): ImportMatch {
  const [only] = candidates;
  if (only === undefined) return newMonitor(entry);
  if (candidates.length === 1 && unmatched === 1) return matchOf(entry, only);
  const message = `is ambiguous: several monitors or entries have the name ${entry.name}, and no monitor with that name has this target`;
  return { action: 'refused', code: 'validation_failed', errors: [{ path: '/name', message, code: 'ambiguous_name' }] };
}

function newMonitor(entry: MonitorSettings): ImportMatch {
  return refusalOf(unmasked(entry, null, null).errors) ?? { action: 'created', settings: entry };
}

function matchOf(entry: MonitorSettings, existing: ExistingMonitor): ImportMatch {
  const { settings, errors } = unmasked(entry, secretsOf(existing.settings), existing.settings.url);
  const action = isDeepStrictEqual(settings, existing.settings) ? 'unchanged' : 'updated';
  return refusalOf(errors) ?? { action, existing, settings };
}

function refusalOf(errors: readonly FieldError[]): ImportRefusal | null {
  return errors.length === 0 ? null : { action: 'refused', code: 'validation_failed', errors };
}

function grouped<Value>(pairs: readonly (readonly [string, Value])[]): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const [key, value] of pairs) {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}
