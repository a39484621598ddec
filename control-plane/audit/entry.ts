import { toIso } from '../../kernel/clock.js';
import type { AuditActor, AuditDocument } from './documents.js';
import type { AuditEntry } from './schema.js';

/** Returns an entry as the API and every export show it. The chain's hashes cover this form. */
export function entryOf(document: AuditDocument): AuditEntry {
  return {
    id: document._id,
    timestamp: toIso(document.at_ms),
    actor: actorOf(document.actor),
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

/** The hashes cover the actor, so an actor without a key has no field for it: older entries were sealed without one. */
function actorOf({ id, email, ip, api_key }: AuditActor): AuditActor {
  return { id, email, ip, ...(api_key === undefined ? {} : { api_key: { id: api_key.id, name: api_key.name } }) };
}
