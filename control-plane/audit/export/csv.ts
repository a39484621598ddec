import { csvLine } from '../../csv.js';
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

export const CSV_HEAD = csvLine(COLUMNS);

/** Returns entries as lines of CSV in the order of the columns; `metadata` is JSON. */
export function csvLines(entries: readonly AuditEntry[]): string {
  let lines = '';
  for (const { id, timestamp, action, severity, actor, resource, metadata } of entries) {
    lines += csvLine([
      ...[id, timestamp, action, severity, actor.id, actor.email, actor.ip],
      ...[resource.type, resource.id, resource.name, { json: metadata }],
    ]);
  }
  return lines;
}
