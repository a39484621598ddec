import type { FieldError } from '../errors.js';
import { boundedErrors } from '../http/input/error-limits.js';
import type { MonitorDocument } from '../monitors/documents.js';
import type { MonitorSettings } from '../monitors/monitors.js';
import { settingsChanges } from '../monitors/monitors.js';
import { printable } from '../printable.js';
import type { ImportFile } from './import-file.js';
import type { ImportMatch } from './import-match.js';
import { mapInParts, type Turn } from './in-parts.js';
import type { PortableMonitor } from './portable.js';
import type { ImportReport } from './schema.js';

/** Names, reasons and notes can quote a file of any content. */
const NAME_CHARS_MAX = 200;
const SENTENCE_CHARS_MAX = 500;
/** A dry run reports every entry of a file, so more reasons for each would make the answer many times as long as the file. */
const REASONS_MAX = 5;

/** An entry after validation. */
export type ValidatedEntry =
  | { ok: true; entry: PortableMonitor; settings: MonitorSettings; notes: FieldError[] }
  | { ok: false; name: string; errors: FieldError[]; notes: FieldError[] };

/** What became of a file. */
interface Imported {
  validated: readonly ValidatedEntry[];
  /** Of valid entries only, in order. */
  matches: readonly ImportMatch[];
  /** The monitors of the matches; null for a dry run. */
  written: readonly (MonitorDocument | null)[] | null;
}

/** Returns the reply of an import. Other work of the process runs at each `turn`. */
export async function importReport(
  file: Pick<ImportFile, 'format'>,
  { validated, matches, written }: Imported,
  turn: Turn,
): Promise<ImportReport> {
  const summary = { created: 0, updated: 0, unchanged: 0, refused: 0 };
  let next = 0;
  const monitors = await mapInParts(validated, turn, (entry): ImportReport['monitors'][number] => {
    if (!entry.ok) {
      summary.refused += 1;
      return {
        name: printable(entry.name, NAME_CHARS_MAX),
        action: 'refused',
        id: null,
        changes: [],
        reasons: reasonsOf(entry.errors),
        errors: boundedErrors(entry.errors.slice(0, REASONS_MAX)),
        notes: entry.notes.map(({ message }) => sentence(message)),
        warnings: boundedErrors(entry.notes),
      };
    }
    const index = next++;
    const match: ImportMatch | undefined = matches[index];
    if (match === undefined) throw new Error('a valid entry has no match');
    summary[match.action] += 1;
    const known = match.action === 'unchanged' || match.action === 'updated' ? match.existing : null;
    return {
      name: entry.settings.name,
      action: match.action,
      id: known?.monitor._id ?? written?.[index]?._id ?? null,
      changes: match.action === 'updated' ? Object.keys(settingsChanges(match.existing.settings, match.settings)) : [],
      reasons: match.action === 'refused' ? reasonsOf(match.errors) : [],
      errors: match.action === 'refused' ? boundedErrors(match.errors.slice(0, REASONS_MAX)) : [],
      notes: entry.notes.map(({ message }) => sentence(message)),
      warnings: boundedErrors(entry.notes),
    };
  });
  return { dry_run: written === null, format: file.format, summary, monitors };
}

function reasonsOf(errors: readonly FieldError[]): string[] {
  const reasons = errors
    .slice(0, REASONS_MAX)
    .map(({ path, message }) => sentence(path === '' ? message : `${path} ${message}`));
  return errors.length > REASONS_MAX ? [...reasons, `and ${errors.length - REASONS_MAX} more errors`] : reasons;
}

function sentence(text: string): string {
  return printable(text, SENTENCE_CHARS_MAX);
}
