import type { FieldError } from '../errors.js';
import type { MonitorDocument } from '../monitors/documents.js';
import type { MonitorSettings } from '../monitors/monitors.js';
import { settingsChanges } from '../monitors/monitors.js';
import { printable } from '../printable.js';
import type { ImportFile } from './import-file.js';
import type { ImportMatch } from './import-match.js';
import type { PortableMonitor } from './portable.js';
import type { ImportReport } from './schema.js';

/** Names, reasons and notes can quote a file of any content. */
const NAME_CHARS_MAX = 200;
const SENTENCE_CHARS_MAX = 500;
/** A dry run reports every entry of a file, so more reasons for each would make the answer many times as long as the file. */
const REASONS_MAX = 5;

/** An entry after validation. */
export type ValidatedEntry =
  | { ok: true; entry: PortableMonitor; settings: MonitorSettings; notes: string[] }
  | { ok: false; name: string; errors: FieldError[]; notes: string[] };

/** Returns the reply of an import; `written` is null for a dry run. Matches exist for valid entries only, in order. */
export function importReport(
  file: ImportFile,
  validated: readonly ValidatedEntry[],
  matches: readonly ImportMatch[],
  written: readonly (MonitorDocument | null)[] | null,
): ImportReport {
  const summary = { created: 0, updated: 0, unchanged: 0, refused: 0 };
  let next = 0;
  const monitors = validated.map((entry): ImportReport['monitors'][number] => {
    if (!entry.ok) {
      summary.refused += 1;
      return {
        name: printable(entry.name, NAME_CHARS_MAX),
        action: 'refused',
        id: null,
        changes: [],
        reasons: reasonsOf(entry.errors),
        notes: entry.notes.map(sentence),
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
      notes: entry.notes.map(sentence),
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
