import type { Ids } from '../storage/ids.js';
import { idTime } from '../storage/ids.js';
import type { AuditLog } from './audit.js';
import type { AuditStore } from './store.js';

export function createAuditLog(parts: { store: AuditStore; ids: Ids }): AuditLog {
  const { store, ids } = parts;
  return {
    async record(tx, actor, event) {
      const _id = ids.next('evt');
      await store.insert(tx, {
        _id,
        workspace_id: actor.workspaceId,
        // The id's own time, so that the two never disagree.
        at_ms: idTime(_id),
        action: event.action,
        severity: event.severity ?? 'info',
        actor: { id: actor.userId, email: actor.email, ip: actor.ip },
        resource: event.resource,
        // As JSON would carry it: the hash is over JSON, and the database would turn undefined into null.
        metadata: JSON.parse(JSON.stringify(event.metadata ?? {})),
        request_id: actor.requestId,
        hash: null,
        previous_hash: null,
        unsealed: true,
      });
    },
  };
}
