import { Resolver as CaresResolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Clock } from '../kernel/clock.js';
import { createHostsFile, modifiedMs } from './hosts-file.js';

/** A name cannot be resolved. The message says what the name servers answered. */
export class NameError extends Error {
  override readonly name = 'NameError';
}

/**
 * Resolves names to addresses with c-ares. `getaddrinfo` uses a thread of the pool for each lookup, so four slow names
 * would delay all other checks. Answers are not cached, because each check measures its own lookup and must see a
 * changed record at once. Search domains are not used, because the name of a monitor is complete.
 */
export interface Resolver {
  /** Returns the host if it is an address; null if it is a name. */
  literal(host: string): string | null;
  /** Resolves to all addresses of a name, IPv4 first. Rejects with NameError after the last attempt. */
  resolve(name: string): Promise<readonly string[]>;
}

export interface ResolverNeeds {
  clock: Clock;
  /** Each is `ip` or `ip:port`; null for the name servers of the system. */
  servers: readonly string[] | null;
  hostsPath: string;
  resolvConfPath: string;
}

/** Timeout of the first attempt. c-ares doubles it for each further one. */
const DNS_TIMEOUT_MS = 1500;
const DNS_ATTEMPTS = 3;
/** How long addresses of one family wait for those of the other (the resolution delay of RFC 8305). */
const RESOLUTION_DELAY_MS = 50;
/** How often resolv.conf is checked for a change. */
const CONFIGURATION_POLL_MS = 5000;
const NAME_CHARACTERS_MAX = 253;

type Family = 4 | 6;
type Answer = { family: Family; addresses: readonly string[]; error: unknown };

export function createResolver(needs: ResolverNeeds): Resolver {
  const hosts = createHostsFile({ clock: needs.clock, path: needs.hostsPath });
  const cares = currentResolver(needs);

  async function query(name: string, family: Family): Promise<Answer> {
    try {
      const addresses = await (family === 4 ? cares().resolve4(name) : cares().resolve6(name));
      return { family, addresses, error: null };
    } catch (error) {
      return { family, addresses: [], error };
    }
  }

  /** Queries both families at the same time. Once one has addresses, waits only for the resolution delay. */
  function queryBoth(name: string): Promise<readonly Answer[]> {
    return new Promise((resolve) => {
      const answers: Answer[] = [];
      const collect = (answer: Answer) => {
        answers.push(answer);
        if (answers.length === 2) return resolve(answers);
        if (answer.addresses.length > 0) needs.clock.after(RESOLUTION_DELAY_MS, () => resolve(answers));
      };
      void query(name, 4).then(collect);
      void query(name, 6).then(collect);
    });
  }

  return {
    literal: (host) => (isIP(host) === 0 ? null : host),
    async resolve(host) {
      const name = host.endsWith('.') ? host.slice(0, -1) : host;
      const local = hosts.addresses(name);
      if (local !== null) return local;
      if (!isValidName(name)) throw new NameError(`"${name.slice(0, NAME_CHARACTERS_MAX)}" is not a valid host name`);
      const answers = await queryBoth(name);
      const found = [4, 6].flatMap((family) => answers.find((answer) => answer.family === family)?.addresses ?? []);
      if (found.length === 0) throw new NameError(failureMessage(name, answers));
      return found;
    },
  };
}

/**
 * Returns a function that returns the resolver to use. c-ares reads resolv.conf only once, so a new resolver is created
 * when the file has changed, for example because a VPN was connected.
 */
function currentResolver(needs: ResolverNeeds): () => CaresResolver {
  const create = () => {
    const created = new CaresResolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_ATTEMPTS });
    if (needs.servers !== null) created.setServers(needs.servers);
    return created;
  };
  let resolver = create();
  let readMs = modifiedMs(needs.resolvConfPath);
  let polledMs = needs.clock.monotonic();
  return () => {
    const now = needs.clock.monotonic();
    if (needs.servers !== null || now - polledMs < CONFIGURATION_POLL_MS) return resolver;
    polledMs = now;
    const changedMs = modifiedMs(needs.resolvConfPath);
    if (changedMs !== readMs) resolver = create();
    readMs = changedMs;
    return resolver;
  };
}

function isValidName(name: string): boolean {
  return (
    name.length <= NAME_CHARACTERS_MAX && name.split('.').every((label) => label.length >= 1 && label.length <= 63)
  );
}

const MEANINGS: ReadonlyMap<string, string> = new Map([
  ['ENOTFOUND', 'does not exist (the name servers answered NXDOMAIN)'],
  ['ENODATA', 'exists but has no IPv4 or IPv6 address'],
  ['ESERVFAIL', 'could not be resolved: the name servers answered SERVFAIL, an error on their side'],
  ['EREFUSED', 'could not be resolved: the name servers refused to answer (REFUSED)'],
  ['EFORMERR', 'could not be resolved: the name servers did not understand the query (FORMERR)'],
  ['ENOTIMP', 'could not be resolved: the name servers do not support such lookups (NOTIMP)'],
  ['EBADRESP', 'could not be resolved: the name servers sent an invalid answer'],
  ['EBADNAME', 'is not a valid host name'],
  ['ETIMEOUT', 'could not be resolved: no name server answered in time'],
  ['ECONNREFUSED', 'could not be resolved: no name server is reachable'],
]);

/** Describes the more informative of the two answers: any other error before "no address of this family". */
function failureMessage(name: string, answers: readonly Answer[]): string {
  const codes = answers.map((answer) => errorCode(answer.error));
  const code = codes.find((each) => each !== 'ENODATA') ?? 'ENODATA';
  return `"${name}" ${MEANINGS.get(code) ?? 'could not be resolved'}`;
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
