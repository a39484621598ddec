import type { AuditEntry } from '../schema.js';

const COLUMNS = [
  'id',
  'timestamp',
  'action',
  'severity',
  'actor_id',
  'actor_email',
  'actor_ip',
  'resource_type',
  'resource_id',
  'resource_name',
  'metadata',
];

export const CSV_HEAD = `${COLUMNS.join(',')}\r\n`;

/**
 * Entries as RFC 4180 lines in the order of the columns; null is an empty cell, `metadata` is JSON. By hand, because
 * the rule is one line and a library (csv-stringify) takes longer for a row than reading it from the database does.
 */
export function csvLines(entries: readonly AuditEntry[]): string {
  let lines = '';
  for (const { id, timestamp, action, severity, actor, resource, metadata } of entries) {
    const cells = [
      ...[id, timestamp, action, severity, actor.id ?? '', actor.email, actor.ip ?? ''],
      ...[resource.type, resource.id, resource.name, JSON.stringify(metadata)],
    ];
    lines += `${cells.map((cell) => quoted(harmless(cell))).join(',')}\r\n`;
  }
  return lines;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/**
 * What a spreadsheet would run: `=`, `+`, `-` or `@`, full-width and small ones as well, at the start or behind
 * characters that some programs drop there (spaces, controls, marks without width); and a tab, CR or LF at the start,
 * behind which some look for a formula.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212])/u;

/**
 * The cell as text that no spreadsheet takes for a formula: an apostrophe before what looks like one. A NUL, at which
 * many readers of CSV stop, becomes its picture. JSON exports carry the original.
 */
export function harmless(cell: string): string {
  const text = cell.replaceAll('\0', '\u2400');
  return FORMULA.test(cell) ? `'${text}` : text;
}
