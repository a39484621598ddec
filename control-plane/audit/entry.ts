import { toIso } from '../../kernel/clock.js';
import type { AuditDocument } from './documents.js';
import type { AuditEntry } from './schema.js';

/** Returns an entry as the API and every export show it. The chain's hashes cover this form. */
export function entryOf(document: AuditDocument): AuditEntry {
  return {
    id: document._id,
    timestamp: toIso(document.at_ms),
    actor: { id: document.actor.id, email: document.actor.email, ip: document.actor.ip },
    action: document.action,
    severity: document.severity,
    resource: { type: document.resource.type, id: document.resource.id, name: document.resource.name },
    workspace_id: document.workspace_id,
    metadata: document.metadata,
    request_id: document.request_id,
    hash: document.hash,
    previous_hash: document.previous_hash,
  };
}
