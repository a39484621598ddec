import type { BulkChange } from '../../../api/types.ts';
import { texts as app } from '../../../texts/app/texts.ts';
import { list, milliseconds } from '../../../texts/format.ts';
import { texts } from './texts/texts.ts';

/** Returns what people call a field of a monitor. Fields of requests keep the name that the API has for them. */
export function fieldWord(field: string): string {
  return texts.fields[field] ?? field.replace(/^http\./, '');
}

/** The names of channels and locations, by what the API calls them. */
export interface Names {
  channel(id: string): string;
  location(code: string): string;
}

/** Returns a value of a setting in words: `30 s`, `a majority`, `shop and web`. Pure. */
export function valueWords(field: string, value: unknown, names: Names): string {
  if (field === 'confirmations' && value === null) return texts.values.majority;
  if (field === 'channels' && value === null) return texts.values.all;
  if (value === null || value === '') return texts.values.nothing;
  if (Array.isArray(value)) {
    const entries = value.map(String);
    const nameOf = { channels: names.channel, locations: names.location }[field] ?? String;
    return entries.length === 0 ? texts.values.nothing : list(entries.map(nameOf));
  }
  if (typeof value === 'boolean') return value ? texts.values.yes : texts.values.no;
  if (field === 'interval_seconds' && typeof value === 'number') return app.seconds(value);
  if (field === 'timeout_ms' && typeof value === 'number') return milliseconds(value);
  if (field === 'type' && (value === 'http' || value === 'tcp' || value === 'ping')) return app.watch.types[value];
  if (field === 'status') return statusWord(String(value));
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Returns both values of a change. Secrets look alike before and after, so only that they changed is said. Pure. */
export function changeWords(field: string, { from, to }: { from?: unknown; to?: unknown }, names: Names) {
  const [before, after] = [valueWords(field, from, names), valueWords(field, to, names)];
  return before === after ? { before: null, after: texts.preview.newValue(after) } : { before, after };
}

/** Returns what a group of monitors has in common: the change, or the setting of new monitors. Pure. */
export function groupWords(
  operation: BulkChange['operation'],
  { field, from, to, monitors }: BulkChange['groups'][number],
  names: Names,
): string {
  const word = fieldWord(field);
  if (operation === 'add') return texts.preview.groupNew(word, valueWords(field, to, names), monitors);
  const { before, after } = changeWords(field, { from, to }, names);
  return texts.preview.group(word, before === null ? after : `${before} → ${after}`, monitors);
}

function statusWord(status: string): string {
  if (status === 'deleted') return texts.values.deleted;
  const known: Readonly<Record<string, string>> = app.status;
  return known[status] ?? status;
}
