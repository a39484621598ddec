import type { Clock } from '../../../kernel/clock.js';
import type { Networks } from '../../../kernel/guard/networks.js';
import { AppError } from '../../errors.js';
import type { Authenticator, Credentials } from '../../http/authenticate.js';
import type { Client } from '../../http/client/client.js';
import { LOADED_FOR, loadedForName } from '../../http/client/loaded-for.js';
import { requirePublicOrigin } from '../../http/client/same-origin.js';
import { emailAddress } from '../sign-in/email-address.js';
import {
  type HeaderPerson,
  type HeaderPersonNeeds,
  headerActor,
  headerPerson,
  LOG_IN_MS,
  recordHeaderLogIn,
} from './person.js';

/** For at most this long, somebody whose rights were changed on another control plane still reads here. */
const CACHED_MS = 5_000;
const CACHED_PEOPLE_MAX = 10_000;
/** How often requests of pages that were loaded for another workspace can have a person read again. */
const REREAD_MS_MIN = 1_000;

interface Entry {
  loadedMs: number;
  /** When a page that was loaded for another workspace last had the person read; before all times if none had. */
  rereadMs: number;
  person: Promise<HeaderPerson>;
}

export interface HeaderAuthenticator extends Authenticator {
  /** Has everybody read again, after the rights of somebody were changed. This happens too rarely to remember of whom. */
  invalidate(): void;
}

/**
 * Returns the authenticator for the header of an authenticating proxy. It believes the header only when the connection
 * comes from a trusted proxy; from anybody else the header means nothing. An API key goes before it. As with sessions, a
 * request that changes something never uses the cache: it acts with the rights of now; and a page that was loaded for another
 * workspace has the person read again.
 */
export function createHeaderAuthenticator(
  needs: HeaderPersonNeeds & { header: string; trustedProxies: Networks; publicUrl: string; clock: Clock },
): HeaderAuthenticator {
  const { header, trustedProxies, publicUrl, clock } = needs;
  const cache = new Map<string, Entry>();
  /** When this process last recorded a log-in, by user. */
  const recordedMs = new Map<string, number>();

  function emailIn(credentials: Credentials): string | null {
    const { authorization, client } = credentials;
    if (client.peer === null || !trustedProxies.contain(client.peer)) return null;
    if (/^Bearer /i.test(authorization ?? '')) return null;
    const value = client.header(header)?.trim() ?? '';
    return value === '' ? null : value;
  }

  function load(
    email: string,
    client: Client,
    rereadMs = cache.get(email)?.rereadMs ?? Number.NEGATIVE_INFINITY,
  ): Promise<HeaderPerson> {
    if (cache.size >= CACHED_PEOPLE_MAX) cache.clear();
    const entry: Entry = { loadedMs: clock.monotonic(), rereadMs, person: headerPerson(needs, email, client) };
    cache.set(email, entry);
    entry.person.catch(() => {
      if (cache.get(email) === entry) cache.delete(email);
    });
    return entry.person;
  }

  async function read(email: string, { method, client }: Credentials): Promise<HeaderPerson> {
    const isRead = method === 'GET' || method === 'HEAD';
    const cached = cache.get(email);
    const isCurrent = cached !== undefined && clock.monotonic() - cached.loadedMs < CACHED_MS;
    if (!isRead || !isCurrent) return load(email, client);
    const person = await cached.person;
    const loadedFor = client.header(LOADED_FOR.toLowerCase());
    const name = loadedForName(person.workspace._id, person.user._id);
    return loadedFor === null || loadedFor === name ? person : reread(email, client, cached);
  }

  /** The person may have switched to the workspace that the page was loaded for on another control plane. */
  function reread(email: string, client: Client, compared: Entry): Promise<HeaderPerson> {
    const latest = cache.get(email);
    // Another request has had the person read meanwhile.
    if (latest !== undefined && latest !== compared) return latest.person;
    const nowMs = clock.monotonic();
    return nowMs - compared.rereadMs < REREAD_MS_MIN ? compared.person : load(email, client, nowMs);
  }

  function addressIn(value: string): string {
    const address = emailAddress(value);
    if (address !== null) return address.email;
    throw new AppError('unauthenticated', 'The authenticating proxy sent something other than one e-mail address.');
  }

  async function record(person: HeaderPerson, client: Client): Promise<void> {
    const nowMs = clock.now();
    const last = recordedMs.get(person.user._id);
    if (last !== undefined && nowMs - last < LOG_IN_MS) return;
    if (recordedMs.size >= CACHED_PEOPLE_MAX) recordedMs.clear();
    recordedMs.set(person.user._id, nowMs);
    await recordHeaderLogIn(needs, person, client).catch((error: unknown) => {
      recordedMs.delete(person.user._id);
      throw error;
    });
  }

  return {
    async authenticate(credentials) {
      const value = emailIn(credentials);
      if (value === null) return null;
      const email = addressIn(value);
      const { client, method } = credentials;
      requirePublicOrigin(method, client, publicUrl);
      const person = await read(email, credentials);
      await record(person, client);
      return headerActor(person, client, clock.now());
    },
    async recheck(credentials) {
      const value = emailIn(credentials);
      if (value === null) return null;
      const email = addressIn(value);
      // `headerPerson` creates who does not exist; somebody who was removed while a response lasts must not return.
      if ((await needs.users.findByEmail(email)) === null) {
        throw new AppError('unauthenticated', 'This account does not exist any more.');
      }
      const { client } = credentials;
      return headerActor(await headerPerson(needs, email, client), client, clock.now());
    },
    recognizes(credentials) {
      return cache.has(emailIn(credentials)?.toLowerCase() ?? '');
    },
    // What is being read at this moment is not kept either.
    invalidate: () => cache.clear(),
  };
}
