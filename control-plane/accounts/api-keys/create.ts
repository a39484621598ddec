import { type Clock, isoOrNull } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';
import type { Actor } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import { AppError, invalidField } from '../../errors.js';
import { parseTimestamp } from '../../http/input/time/timestamp.js';
import { requirePlanFeature } from '../../plans/quota.js';
import type { Ids } from '../../storage/ids.js';
import type { Transaction } from '../../storage/transaction.js';
import { apiKeyHash, makeApiKey } from './api-key.js';
import type { ApiKeyDocument } from './documents.js';
import type { CreateApiKey } from './schema.js';
import type { ApiKeysStore } from './store.js';

export const ACTIVE_KEYS_PER_WORKSPACE_MAX = 100;

export type CreateKey = (tx: Transaction, actor: Actor, input: CreateApiKey) => Promise<MadeKey>;

/** Returns the verb that creates a key. The new key cannot have more rights than its creator, or expire later. */
export function createCreateKey(needs: {
  store: ApiKeysStore;
  audit: AuditLog;
  ids: Ids;
  clock: Clock;
  random: Random;
}): CreateKey {
  const { audit, clock } = needs;
  return async (tx, actor, input) => {
    const scopes = input.scopes ?? ['*'];
    const nowMs = clock.now();
    const expiresAtMs = expiry(input.expires_at ?? null, nowMs);
    if (scopes.length !== 1 || scopes[0] !== '*') requirePlanFeature(actor.plan, 'scopedKeys', 'Keys with scopes');
    if (scopes.length > 1 && scopes.includes('*'))
      throw invalidField('/scopes', 'must not contain * together with other scopes');
    const made = await insertKey(needs, tx, actor, { name: input.name, scopes, expiresAtMs });
    await audit.record(tx, actor, {
      action: 'api_key.created',
      resource: { type: 'api_key', id: made.document._id, name: input.name },
      metadata: {
        scopes,
        expires_at: isoOrNull(expiresAtMs),
        last_four: made.document.last_four,
      },
    });
    return made;
  };
}

/** The document of a new key, and the key itself, which is not stored. */
export interface MadeKey {
  document: ApiKeyDocument;
  key: string;
}

/** Makes a key in the name of the actor. Throws when the actor may not make it, or the workspace has too many. */
export async function insertKey(
  needs: { store: ApiKeysStore; ids: Ids; clock: Clock; random: Random },
  tx: Transaction,
  actor: Actor,
  { name, scopes, expiresAtMs }: { name: string; scopes: ApiKeyDocument['scopes']; expiresAtMs: number | null },
): Promise<MadeKey> {
  const { store, ids, clock, random } = needs;
  requireOwnRights(actor, scopes, expiresAtMs);
  if (actor.userId === null) throw new AppError('forbidden', 'Only a person or another key can create a key.');
  const nowMs = clock.now();
  await refuseTooMany(store, tx, actor.workspaceId, nowMs);
  const key = makeApiKey(random);
  const document: ApiKeyDocument = {
    _id: ids.next('key'),
    workspace_id: actor.workspaceId,
    user_id: actor.userId,
    name,
    hash: apiKeyHash(key),
    last_four: key.slice(-4),
    scopes,
    created_at_ms: nowMs,
    last_used_at_ms: null,
    expires_at_ms: expiresAtMs,
    revoked_at_ms: null,
  };
  await store.insert(tx, document);
  return { document, key };
}

async function refuseTooMany(store: ApiKeysStore, tx: Transaction, workspaceId: string, nowMs: number): Promise<void> {
  const active = await store.lockAndCountActive(tx, workspaceId, ACTIVE_KEYS_PER_WORKSPACE_MAX, nowMs);
  if (active < ACTIVE_KEYS_PER_WORKSPACE_MAX) return;
  const most = `A workspace has at most ${ACTIVE_KEYS_PER_WORKSPACE_MAX} active API keys.`;
  throw new AppError('conflict', `${most} Revoke one that is no longer used.`);
}

function expiry(text: string | null, nowMs: number): number | null {
  if (text === null) return null;
  const atMs = parseTimestamp(text);
  if (atMs === null || atMs <= nowMs) {
    throw invalidField('/expires_at', 'must be in the future', 'past');
  }
  return atMs;
}

function requireOwnRights(actor: Actor, scopes: ApiKeyDocument['scopes'], expiresAtMs: number | null): void {
  if (actor.kind !== 'key') return;
  const missing = actor.scopes.includes('*') ? undefined : scopes.find((scope) => !actor.scopes.includes(scope));
  if (missing !== undefined) {
    throw new AppError('insufficient_scope', `A key without the scope ${missing} cannot create a key with it.`, {
      required_scope: missing,
    });
  }
  const own = actor.key?.expiresAt ?? null;
  if (own !== null && (expiresAtMs === null || expiresAtMs > own)) {
    throw new AppError('forbidden', 'A key with an expiry cannot create a key that expires later.');
  }
}
