import { texts as app } from '../../../texts/app/texts.ts';
import { list, milliseconds } from '../../../texts/format.ts';
import { texts } from './texts/texts.ts';

/** Returns what people call a field of a monitor. Fields of requests keep the name that the API has for them. */
export function fieldWord(field: string): string {
  return texts.fields[field] ?? field.replace(/^http\./, '');
}

/** Returns a value of a setting in words: `30 s`, `a majority`, `shop and web`. */
export function valueWords(field: string, value: unknown): string {
  if (field === 'confirmations' && value === null) return texts.values.majority;
  if (field === 'channels' && value === null) return texts.values.all;
  if (value === null || value === '') return texts.values.nothing;
  if (Array.isArray(value)) return value.length === 0 ? texts.values.nothing : list(value.map(String));
  if (typeof value === 'boolean') return value ? texts.values.yes : texts.values.no;
  if (field === 'interval_seconds' && typeof value === 'number') return app.seconds(value);
  if (field === 'timeout_ms' && typeof value === 'number') return milliseconds(value);
  if (field === 'type' && (value === 'http' || value === 'tcp' || value === 'ping')) return app.watch.types[value];
  if (field === 'status') return statusWord(String(value));
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function statusWord(status: string): string {
  if (status === 'deleted') return texts.values.deleted;
  const known: Readonly<Record<string, string>> = app.status;
  return known[status] ?? status;
}
