import type { AuditAction, AuditEvent } from '../audit/audit.js';
import { changesOf } from '../audit/changes.js';
import type { PageSettings, StatusPageDocument } from './documents.js';
import { settingsShown } from './view.js';

/** Returns the audit event of a change of a status page. */
export function audited(
  action: AuditAction,
  { _id, title }: StatusPageDocument,
  metadata: Record<string, unknown> = {},
): AuditEvent {
  return { action, resource: { type: 'status_page', id: _id, name: title }, metadata };
}

/** Returns the changed settings for the audit log. */
export function settingsChanges(before: PageSettings, after: PageSettings) {
  return changesOf(settingsShown(before), settingsShown(after));
}
