import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Actor, Role } from '../../actor.js';
import { AppError } from '../../errors.js';
import type { Authenticator } from '../../http/authenticate.js';
import type { Client } from '../../http/client/client.js';
import { addressBucket } from '../../http/limits/address-bucket.js';
import type { MembershipDocument } from '../documents.js';
import { isOperator } from '../operators.js';
import { memberActor } from '../person-actor.js';
import { apiKeyHash, isApiKey } from './api-key.js';
import type { ApiKeysStore, KeyWithOwner } from './store.js';

/** A key that was revoked on another control plane still works here for at most this long. */
const CACHED_MS = 1_000;
const CACHED_KEYS_MAX = 10_000;
const TOUCH_MS = 60_000;

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

export interface KeyAuthenticator extends Authenticator {
  /** Removes a revoked key from the cache at once. Other control planes notice within a second. */
  invalidate(hash: string): void;
}

interface Entry {
  loadedMs: number;
  found: Promise<KeyWithOwner | null>;
}

/**
 * Returns the authenticator for `Authorization: Bearer pk_live_...`. Keys are cached for a second, so that a client
 * with many requests costs one query per second. An unknown key is not cached, because it may be created at any moment.
 */
export function createKeyAuthenticator(needs: { store: ApiKeysStore; clock: Clock; logger: Logger }): KeyAuthenticator {
  const { store, clock, logger } = needs;
  /** Keys that exist, and keys that are being looked up. */
  const cache = new Map<string, Entry>();
  const touchedMs = new Map<string, number>();

  function read(hash: string): Promise<KeyWithOwner | null> {
    const cached = cache.get(hash);
    return cached !== undefined && clock.monotonic() - cached.loadedMs < CACHED_MS ? cached.found : load(hash);
  }

  function load(hash: string): Promise<KeyWithOwner | null> {
    const entry: Entry = { loadedMs: clock.monotonic(), found: store.findByHash(hash) };
    if (cache.size >= CACHED_KEYS_MAX) cache.clear();
    cache.set(hash, entry);
    const drop = () => {
      if (cache.get(hash) === entry) cache.delete(hash);
    };
    entry.found.then((found) => found === null && drop(), drop);
    return entry.found;
  }

  async function validKey(authorization: string, find: typeof load): Promise<{ found: KeyWithOwner; role: Role }> {
    const text = keyIn(authorization);
    if (text === undefined) throw unknown('The Authorization header must be: Bearer pk_live_...');
    if (!isApiKey(text)) throw unknown('This is not a valid API key. It may be mistyped or incomplete.');
    const hash = apiKeyHash(text);
    const found = await find(hash);
    if (found === null || !timingSafeEqual(Buffer.from(found.key.hash), Buffer.from(hash))) {
      throw unknown('This API key is unknown.');
    }
    return { found, role: requireValid(found, clock.now()).role };
  }

  /** Records the use of a key at most once a minute, without delaying the request. Returns the time of the last use. */
  function touch(key: KeyWithOwner['key'], network: string): number {
    const nowMs = clock.now();
    const last = Math.max(key.last_used_at_ms ?? 0, touchedMs.get(key._id) ?? 0);
    if (nowMs - last < TOUCH_MS) return last;
    if (touchedMs.size >= CACHED_KEYS_MAX) touchedMs.clear();
    touchedMs.set(key._id, nowMs);
    store.touch(key._id, nowMs, network).catch((err) => logger.warn({ err }, 'recording the use of an API key failed'));
    return nowMs;
  }

  return {
    async authenticate({ authorization, client }) {
      if (authorization === undefined) return null;
      const { found, role } = await validKey(authorization, read);
      const lastUsedAt = touch(found.key, addressBucket(client.ip));
      return actorOf(found, role, lastUsedAt, client, clock.now());
    },
    async recheck({ authorization, client }) {
      if (authorization === undefined) return null;
      const { found, role } = await validKey(authorization, load);
      return actorOf(found, role, found.key.last_used_at_ms, client, clock.now());
    },
    recognizes({ authorization = '' }) {
      const text = keyIn(authorization);
      return text !== undefined && cache.has(apiKeyHash(text));
    },
    invalidate: (hash) => void cache.delete(hash),
  };
}

function keyIn(authorization: string): string | undefined {
  return BEARER.exec(authorization)?.[1];
}

/** Returns the membership of the key's creator. Throws 401 if the key has ended. */
function requireValid({ key, membership }: KeyWithOwner, nowMs: number): MembershipDocument {
  if (key.revoked_at_ms !== null) throw new AppError('key_revoked', 'This API key has been revoked.');
  if (key.expires_at_ms !== null && key.expires_at_ms <= nowMs) {
    throw new AppError('key_expired', 'This API key has expired.');
  }
  if (membership === null) {
    throw new AppError('key_revoked', 'This API key ended when the person who created it left the workspace.');
  }
  return membership;
}

function actorOf(found: KeyWithOwner, role: Role, lastUsedAt: number | null, client: Client, nowMs: number): Actor {
  const { key, workspace, user } = found;
  return {
    ...memberActor({ user, workspace, role }, client, nowMs),
    kind: 'key',
    scopes: key.scopes,
    operator: isOperator(workspace, role),
    key: { id: key._id, name: key.name, lastUsedAt, expiresAt: key.expires_at_ms },
  };
}

function unknown(detail: string): AppError {
  return new AppError('unauthenticated', detail);
}
