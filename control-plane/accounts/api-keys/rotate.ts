import { type Clock, toIso } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';
import type { Actor } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import { AppError, notFound } from '../../errors.js';
import type { Ids } from '../../storage/ids.js';
import type { Transaction } from '../../storage/transaction.js';
import { insertKey, type MadeKey } from './create.js';
import { OVERLAP_SECONDS_DEFAULT } from './overlap.js';
import type { ApiKeysStore } from './store.js';

/**
 * Makes a key with the name and the scopes of another one, which goes on working for the overlap. A key that was made
 * for a limited time is replaced by one for the same time. Throws 404, and 409 for a key that is replaced already.
 */
export type RotateKey = (
  tx: Transaction,
  actor: Actor,
  id: string,
  input: { overlap_seconds?: number },
) => Promise<MadeKey>;

export function createRotateKey(needs: {
  store: ApiKeysStore;
  audit: AuditLog;
  ids: Ids;
  clock: Clock;
  random: Random;
  /** Removes the old key from the cache of this process. */
  invalidate: (hash: string) => void;
}): RotateKey {
  const { store, audit, clock, invalidate } = needs;
  return async (tx, actor, id, { overlap_seconds = OVERLAP_SECONDS_DEFAULT }) => {
    const old = await store.findIn(tx, actor.workspaceId, id);
    if (old === null) throw notFound('API key');
    if (old.replaced_by !== undefined)
      throw new AppError('conflict', `The key ${old.replaced_by} replaces this one already.`);
    const nowMs = clock.now();
    const expiresAtMs = old.expires_at_ms === null ? null : nowMs + (old.expires_at_ms - old.created_at_ms);
    const made = await insertKey(needs, tx, actor, { name: old.name, scopes: old.scopes, expiresAtMs });
    const endsAtMs = nowMs + overlap_seconds * 1_000;
    const ended = await store.replace(tx, actor.workspaceId, id, { by: made.document._id, endsAtMs });
    await audit.record(tx, actor, {
      action: 'api_key.rotated',
      resource: { type: 'api_key', id, name: old.name },
      metadata: {
        replaced_by: made.document._id,
        last_four: made.document.last_four,
        old_key_ends_at: toIso(ended?.expires_at_ms ?? endsAtMs),
      },
    });
    tx.afterCommit(() => invalidate(old.hash));
    return made;
  };
}
