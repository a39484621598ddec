import type { Clock } from '../../kernel/clock.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import { notFound } from '../errors.js';
import { requireVersion } from '../http/etag.js';
import type { Transaction } from '../storage/transaction.js';
import type { ApiKeysStore } from './api-keys-store.js';

export type RevokeKey = (tx: Transaction, actor: Actor, id: string, ifVersion: number | null) => Promise<void>;

/** A key never changes, so it has one version. */
export const API_KEY_VERSION = 1;

/** Revoked for good. `forget` drops it from the memory of this process as soon as that is committed. */
export function createRevokeKey(parts: {
  store: ApiKeysStore;
  audit: AuditLog;
  clock: Clock;
  forget: (hash: string) => void;
}): RevokeKey {
  const { store, audit, clock, forget } = parts;
  return async (tx, actor, id, ifVersion) => {
    const revoked = await store.revoke(tx, actor.workspaceId, id, clock.now());
    if (revoked === null) throw notFound('API key');
    requireVersion(ifVersion, API_KEY_VERSION);
    await audit.record(tx, actor, {
      action: 'api_key.revoked',
      resource: { type: 'api_key', id: revoked._id, name: revoked.name },
      metadata: { last_four: revoked.last_four },
      severity: 'warning',
    });
    tx.afterCommit(() => forget(revoked.hash));
  };
}
