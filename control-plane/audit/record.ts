import type { Ids } from '../storage/ids.js';
import { idTime } from '../storage/ids.js';
import type { AuditLog } from './audit.js';
import type { AuditStore } from './store.js';

export function createAuditLog(needs: { store: Pick<AuditStore, 'insert'>; ids: Ids }): AuditLog {
  const { store, ids } = needs;
  return {
    async record(tx, actor, event) {
      const _id = ids.next('evt');
      await store.insert(tx, {
        _id,
        workspace_id: actor.workspaceId,
        // Taken from the id, so that both always agree.
        at_ms: idTime(_id),
        action: event.action,
        severity: event.severity ?? 'info',
        actor: { id: actor.userId, email: actor.email, ip: actor.ip },
        resource: event.resource,
        // Converted to plain JSON values: the hash covers JSON, and the database would turn undefined into null.
        metadata: JSON.parse(JSON.stringify(event.metadata ?? {})),
        request_id: actor.requestId,
        hash: null,
        previous_hash: null,
        unsealed: true,
      });
    },
  };
}
