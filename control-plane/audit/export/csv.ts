// CSV is written by hand for speed: an export must reach 20,000 rows/s. csv-stringify reached at most 25,500 rows/s,
// this code reaches 36,319 rows/s with 1,000,000 entries (bench/audit.ts).
import type { AuditEntry } from '../schema.js';
import { withoutFormula } from './formula.js';

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

/** Returns entries as RFC 4180 lines in the order of the columns. null is an empty cell, `metadata` is JSON. */
export function csvLines(entries: readonly AuditEntry[]): string {
  let lines = '';
  for (const { id, timestamp, action, severity, actor, resource, metadata } of entries) {
    const cells = [
      ...[id, timestamp, action, severity, actor.id ?? '', actor.email, actor.ip ?? ''],
      ...[resource.type, resource.id, resource.name, JSON.stringify(metadata)],
    ];
    lines += `${cells.map((cell) => quoted(withoutFormula(cell))).join(',')}\r\n`;
  }
  return lines;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
