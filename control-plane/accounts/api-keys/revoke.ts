import type { Clock } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import { notFound } from '../../errors.js';
import { requireVersion } from '../../http/etag.js';
import type { Transaction } from '../../storage/transaction.js';
import type { ApiKeysStore } from './store.js';

export type RevokeKey = (tx: Transaction, actor: Actor, id: string, ifVersion: number | null) => Promise<void>;

/** A key never changes, so it has one version. */
export const API_KEY_VERSION = 1;

/**
 * Returns the verb that revokes a key. After the commit, `invalidate` removes the key from the cache of this process.
 */
export function createRevokeKey(needs: {
  store: ApiKeysStore;
  audit: AuditLog;
  clock: Clock;
  invalidate: (hash: string) => void;
}): RevokeKey {
  const { store, audit, clock, invalidate } = needs;
  return async (tx, actor, id, ifVersion) => {
    const revoked = await store.revoke(tx, actor.workspaceId, id, clock.now());
    if (revoked === null) throw notFound('API key');
    requireVersion(ifVersion, API_KEY_VERSION);
    await audit.record(tx, actor, {
      action: 'api_key.revoked',
      resource: { type: 'api_key', id: revoked._id, name: revoked.name },
      metadata: { last_four: revoked.last_four },
    });
    tx.afterCommit(() => invalidate(revoked.hash));
  };
}
