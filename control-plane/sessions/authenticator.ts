import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { MembershipsStore } from '../accounts/memberships-store.js';
import { stopOf } from '../accounts/standing/standing.js';
import { AppError } from '../errors.js';
import type { Authenticator } from '../http/authenticate.js';
import { LOADED_FOR, loadedForName } from '../http/client/loaded-for.js';
import { refuseForeignOrigin } from '../http/client/same-origin.js';
import { personOf } from './actor.js';
import type { SessionCookies } from './cookie.js';
import type { SessionDocument } from './documents.js';
import type { SessionsStore } from './store.js';
import { expiryOf, isValid, type NeedsSingleSignOn, restrictionOf, type SessionWithOwner } from './validity.js';

/** A session that was ended or changed on another control plane still reads here for at most this long. */
const CACHED_MS = 5_000;
const CACHED_SESSIONS_MAX = 10_000;
/** How often requests of pages that were loaded for another workspace can have a session read again. */
const REREAD_MS_MIN = 1_000;
const TOUCH_MS = 60_000;

export interface SessionAuthenticator extends Authenticator {
  /** Removes a session from the cache at once, after it was ended or changed. */
  invalidate(session: Pick<SessionDocument, 'token_hash'>): void;
}

interface SessionAuthenticatorNeeds {
  store: Pick<SessionsStore, 'findByHash' | 'touch'>;
  memberships: Pick<MembershipsStore, 'touch'>;
  cookies: SessionCookies;
  needsSingleSignOn: NeedsSingleSignOn;
  publicUrl: string;
  clock: Clock;
  logger: Logger;
}

interface Entry {
  loadedMs: number;
  /** When a page that was loaded for another workspace last had the session read; before all times if none had. */
  rereadMs: number;
  found: Promise<SessionWithOwner | null>;
}

/**
 * Returns the authenticator for the session cookie. A session check costs at most one query, and requests that read
 * share one for five seconds. A page that was loaded for another workspace has it read at most once a second, because
 * any client can send its header. A request that changes something never uses the cache: it acts with the rights of now, and
 * a person who has just confirmed who they are on another control plane need not wait.
 */
export function createSessionAuthenticator(needs: SessionAuthenticatorNeeds): SessionAuthenticator {
  const { store, memberships, cookies, needsSingleSignOn, publicUrl, clock, logger } = needs;
  /** Sessions that exist, and sessions that are being looked up. */
  const cache = new Map<string, Entry>();
  const touchedMs = new Map<string, number>();

  function load(
    hash: string,
    rereadMs = cache.get(hash)?.rereadMs ?? Number.NEGATIVE_INFINITY,
  ): Promise<SessionWithOwner | null> {
    const entry: Entry = { loadedMs: clock.monotonic(), rereadMs, found: store.findByHash(hash) };
    if (cache.size >= CACHED_SESSIONS_MAX) cache.clear();
    cache.set(hash, entry);
    const drop = () => {
      if (cache.get(hash) === entry) cache.delete(hash);
    };
    // What refuses a person is not cached: it may end at any moment, when they have set up a second factor or restored
    // the workspace.
    const isCacheable = (found: SessionWithOwner | null) =>
      found !== null && restrictionOf(found, needsSingleSignOn) === null && stopOf(found.workspace) === null;
    entry.found.then((found) => isCacheable(found) || drop(), drop);
    return entry.found;
  }

  async function read(hash: string, isRead: boolean, loadedFor: string | null): Promise<SessionWithOwner | null> {
    const cached = cache.get(hash);
    const isCurrent = cached !== undefined && clock.monotonic() - cached.loadedMs < CACHED_MS;
    if (!isRead || !isCurrent) return load(hash);
    const found = await cached.found;
    const name = found === null ? null : loadedForName(found.session.workspace_id, found.user._id);
    return loadedFor === null || loadedFor === name ? found : reread(hash, cached);
  }

  /** Another control plane may have moved the session to the workspace that the page was loaded for. */
  function reread(hash: string, compared: Entry): Promise<SessionWithOwner | null> {
    const latest = cache.get(hash);
    // Another request has had it read meanwhile.
    if (latest !== undefined && latest !== compared) return latest.found;
    const nowMs = clock.monotonic();
    return nowMs - compared.rereadMs < REREAD_MS_MIN ? compared.found : load(hash, nowMs);
  }

  /** Records the use of a session at most once a minute, without delaying the request. */
  function touch(found: SessionWithOwner): void {
    const { session, user } = found;
    const nowMs = clock.now();
    const last = Math.max(session.last_used_at_ms, touchedMs.get(session._id) ?? 0);
    if (nowMs - last < TOUCH_MS) return;
    if (touchedMs.size >= CACHED_SESSIONS_MAX) touchedMs.clear();
    touchedMs.set(session._id, nowMs);
    Promise.all([
      store.touch(session._id, nowMs, expiryOf(found, nowMs)),
      memberships.touch(session.workspace_id, user._id, nowMs),
    ]).catch((err) => logger.warn({ err }, 'recording the use of a session failed'));
  }

  function requireValid(found: SessionWithOwner | null): SessionWithOwner {
    if (found !== null && isValid(found, clock.now())) return found;
    throw new AppError('unauthenticated', 'This session has ended. Log in again.');
  }

  return {
    async authenticate({ client, method }) {
      const hash = cookies.hashIn(client.cookie);
      if (hash === null) return null;
      refuseForeignOrigin(method, client, publicUrl);
      const isRead = method === 'GET' || method === 'HEAD';
      const found = requireValid(await read(hash, isRead, client.header(LOADED_FOR.toLowerCase())));
      touch(found);
      return personOf(found, client, needsSingleSignOn, clock.now());
    },
    async recheck({ client }) {
      const hash = cookies.hashIn(client.cookie);
      if (hash === null) return null;
      return personOf(requireValid(await load(hash)), client, needsSingleSignOn, clock.now());
    },
    recognizes({ client }) {
      const hash = cookies.hashIn(client.cookie);
      return hash !== null && cache.has(hash);
    },
    invalidate: ({ token_hash }) => void cache.delete(token_hash),
  };
}
