import type { Clock } from '../../../kernel/clock.js';
import type { Networks } from '../../../kernel/guard/networks.js';
import { AppError } from '../../errors.js';
import type { Authenticator, Credentials } from '../../http/authenticate.js';
import type { Client } from '../../http/client/client.js';
import { refuseForeignOrigin } from '../../http/client/same-origin.js';
import { emailAddress } from '../sign-in/email-address.js';
import {
  type HeaderPerson,
  type HeaderPersonNeeds,
  headerActor,
  headerPerson,
  LOG_IN_MS,
  recordHeaderLogIn,
} from './person.js';

/** For at most this long, somebody who was removed can go on. */
const CACHED_MS = 5_000;
const CACHED_PEOPLE_MAX = 10_000;

interface Entry {
  loadedMs: number;
  person: Promise<HeaderPerson>;
}

/**
 * Returns the authenticator for the header of an authenticating proxy. It believes the header only when the connection
 * comes from a trusted proxy; from anybody else the header means nothing. An API key goes before it.
 */
export function createHeaderAuthenticator(
  needs: HeaderPersonNeeds & { header: string; trustedProxies: Networks; publicUrl: string; clock: Clock },
): Authenticator {
  const { header, trustedProxies, publicUrl, clock } = needs;
  const cache = new Map<string, Entry>();
  /** When this process last recorded a log-in, by user. */
  const recordedMs = new Map<string, number>();

  function emailIn(credentials: Credentials): string | null {
    if (credentials.peer === null || !trustedProxies.contain(credentials.peer)) return null;
    if (/^Bearer /i.test(credentials.authorization ?? '')) return null;
    const value = credentials.header(header)?.trim() ?? '';
    return value === '' ? null : value;
  }

  function load(email: string, client: Client): Promise<HeaderPerson> {
    const cached = cache.get(email);
    if (cached !== undefined && clock.monotonic() - cached.loadedMs < CACHED_MS) return cached.person;
    if (cache.size >= CACHED_PEOPLE_MAX) cache.clear();
    const entry: Entry = { loadedMs: clock.monotonic(), person: headerPerson(needs, email, client) };
    cache.set(email, entry);
    entry.person.catch(() => {
      if (cache.get(email) === entry) cache.delete(email);
    });
    return entry.person;
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
      refuseForeignOrigin(method, client, publicUrl);
      const person = await load(email, client);
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
  };
}
