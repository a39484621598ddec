import type { AuditAction, AuditEvent } from '../audit/audit.js';
import type { BackupJobDocument } from './documents.js';

/** Returns the audit event of a change of a backup job. */
export function audited(
  action: AuditAction,
  { _id, name }: Pick<BackupJobDocument, '_id' | 'name'>,
  metadata: Record<string, unknown> = {},
): AuditEvent {
  return { action, resource: { type: 'backup_job', id: _id, name }, metadata };
}
