import { Resolver } from 'node:dns/promises';
import type { Clock } from '../clock.js';
import { createSemaphore } from '../concurrency/semaphore.js';
import type { Answer, Exchanges, Names, Texts, Unanswered } from './answer.js';
import { createFreshResolver } from './fresh-resolver.js';
import { reverseName } from './reverse-name.js';

/** The default limit for one query to one server. */
const ATTEMPT_TIMEOUT_MS = 2_000;
/** The limit for a lookup, including its retry and the wait for a free slot. */
const LOOKUP_TIMEOUT_MS = 5_000;
const IN_FLIGHT_MAX = 1_000;
const ATTEMPTS_MAX = 2;

export type Timed<T> = T & { tookMs: number };

/** A shorter limit for a lookup than `LOOKUP_TIMEOUT_MS`. */
interface LookupLimit {
  withinMs: number;
}

/** Lookups through the configured resolvers. They never reject. */
export interface DnsClient {
  resolve4(name: string, limit?: LookupLimit): Promise<Timed<Answer>>;
  resolve6(name: string, limit?: LookupLimit): Promise<Timed<Answer>>;
  /** Joins the strings of each record. */
  resolveTxt(name: string, limit?: LookupLimit): Promise<Timed<Texts>>;
  resolveMx(name: string, limit?: LookupLimit): Promise<Timed<Exchanges>>;
  /** Returns the name that a name is an alias of; the alias is not followed. */
  resolveCname(name: string, limit?: LookupLimit): Promise<Timed<Names>>;
  /** Looks up the names of an IP address. Asks only the resolver, not the hosts file. */
  reverse(address: string, limit?: LookupLimit): Promise<Timed<Names>>;
}

/**
 * Queries one server and, if that fails, retries once with the next server (or with the only one). The last server that
 * answered is queried first. Nothing is cached here: the resolver caches according to the TTL of the records.
 */
export function createDnsClient({
  servers,
  clock,
  attemptTimeoutMs = ATTEMPT_TIMEOUT_MS,
}: {
  servers: readonly string[];
  clock: Clock;
  /** The limit for one query to one server. */
  attemptTimeoutMs?: number;
}): DnsClient {
  const resolvers = (servers.length === 0 ? systemServers() : servers).map((server) =>
    createFreshResolver(server, attemptTimeoutMs),
  );
  const inFlight = createSemaphore(IN_FLIGHT_MAX);
  let preferred = 0;

  async function queryServers<T>(query: (resolver: Resolver) => Promise<T>, deadline: number): Promise<T | Unanswered> {
    let last: Unanswered = { kind: 'timeout' };
    const first = preferred;
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const left = deadline - clock.monotonic();
      const index = (first + attempt) % resolvers.length;
      const resolver = resolvers[index];
      if (left <= 0 || resolver === undefined) break;
      const answer = await withTimeout(resolver.query(query), Math.min(attemptTimeoutMs, left), clock);
      if (!isUnanswered(answer) || answer.kind === 'none') {
        preferred = index;
        return answer;
      }
      last = answer;
    }
    return last;
  }

  /** Resolves to false for a lookup that still waits at its deadline. */
  async function admitted(deadline: number): Promise<boolean> {
    const late = new AbortController();
    const timer = clock.after(deadline - clock.monotonic(), () => late.abort());
    const isAdmitted = await inFlight.acquire(false, late.signal);
    timer.cancel();
    return isAdmitted;
  }

  async function lookup<T extends object>(
    query: (resolver: Resolver) => Promise<T>,
    limit: LookupLimit | undefined,
  ): Promise<Timed<T | Unanswered>> {
    const started = clock.monotonic();
    const deadline = started + Math.min(limit?.withinMs ?? LOOKUP_TIMEOUT_MS, LOOKUP_TIMEOUT_MS);
    if (!(await admitted(deadline))) return { kind: 'timeout', tookMs: clock.monotonic() - started };
    try {
      return { ...(await queryServers(query, deadline)), tookMs: clock.monotonic() - started };
    } finally {
      inFlight.release();
    }
  }

  const addresses = (found: string[]) => ({ kind: 'addresses' as const, addresses: found });
  return {
    resolve4: (name, limit) => lookup((resolver) => resolver.resolve4(name).then(addresses), limit),
    resolve6: (name, limit) => lookup((resolver) => resolver.resolve6(name).then(addresses), limit),
    resolveTxt: (name, limit) =>
      lookup(
        (resolver) =>
          resolver
            .resolveTxt(name)
            .then((texts) => ({ kind: 'texts' as const, texts: texts.map((strings) => strings.join('')) })),
        limit,
      ),
    resolveMx: (name, limit) =>
      lookup(
        (resolver) => resolver.resolveMx(name).then((exchanges) => ({ kind: 'exchanges' as const, exchanges })),
        limit,
      ),
    resolveCname: (name, limit) =>
      lookup((resolver) => resolver.resolveCname(name).then((names) => ({ kind: 'names' as const, names })), limit),
    reverse: (address, limit) =>
      lookup(
        (resolver) => resolver.resolvePtr(reverseName(address)).then((names) => ({ kind: 'names' as const, names })),
        limit,
      ),
  };
}

function isUnanswered(answer: unknown): answer is Unanswered {
  const { kind } = Object(answer);
  return kind === 'none' || kind === 'failed' || kind === 'timeout';
}

function systemServers(): string[] {
  return new Resolver().getServers();
}

/** Limits the time of a query here, because c-ares checks its timeouts only once a second. */
function withTimeout<T>(query: Promise<T>, timeoutMs: number, clock: Clock): Promise<T | Unanswered> {
  return new Promise((resolve) => {
    const timer = clock.after(timeoutMs, () => resolve({ kind: 'timeout' }));
    query.then(
      (answer) => {
        timer.cancel();
        resolve(answer);
      },
      (err) => {
        timer.cancel();
        resolve(unanswered(err));
      },
    );
  });
}

/** Uses Node.js's codes without the first letter (SERVFAIL, REFUSED), not its messages: they contain the name, and so a key. */
function unanswered(err: unknown): Unanswered {
  const { code } = Object(err);
  if (code === 'ENOTFOUND') return { kind: 'none', exists: false };
  if (code === 'ENODATA') return { kind: 'none' };
  if (code === 'ETIMEOUT' || code === 'ECANCELLED') return { kind: 'timeout' };
  return { kind: 'failed', error: typeof code === 'string' ? code.replace(/^E/, '') : 'UNKNOWN' };
}
