import { Resolver as CaresResolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Clock } from '../kernel/clock.js';
import { createHostsFile, modifiedMs } from './hosts-file.js';

/** A name could not be resolved; the message says in plain words what the name servers answered. */
export class NameError extends Error {
  override readonly name = 'NameError';
}

/**
 * Names to addresses, without the thread pool (`getaddrinfo` takes a thread for each look-up, and four slow names
 * would hold up every other check). Nothing is cached but the hosts file: a check measures the look-up of its own
 * moment, and a name that changed is seen at once. No search domains are tried: a monitor's name is complete.
 */
export interface Resolver {
  /** The address when the host is one already; null for a name. */
  literal(host: string): string | null;
  /** All addresses of a name, IPv4 first; rejects with NameError. Ends by itself within `DNS_TRY_MS` times the tries. */
  resolve(name: string): Promise<readonly string[]>;
}

export interface ResolverOptions {
  clock: Clock;
  /** `ip` or `ip:port` each; null for those of the system. */
  servers: readonly string[] | null;
  hostsPath: string;
  resolvConfPath: string;
}

/** First wait for an answer; c-ares doubles it on each further try. */
const DNS_TRY_MS = 1500;
const DNS_TRIES = 3;
/** How long one family may keep the other waiting (RFC 8305 calls it the resolution delay). */
const OTHER_FAMILY_MS = 50;
/** How often the system's resolver configuration is looked at for a change. */
const CONFIGURATION_LOOK_MS = 5000;
const NAME_CHARACTERS_MAX = 253;

type Family = 4 | 6;
type Answer = { family: Family; addresses: readonly string[]; error: unknown };

export function createResolver(options: ResolverOptions): Resolver {
  const hosts = createHostsFile({ clock: options.clock, path: options.hostsPath });
  const cares = currentResolver(options);

  async function ask(name: string, family: Family): Promise<Answer> {
    try {
      const addresses = await (family === 4 ? cares().resolve4(name) : cares().resolve6(name));
      return { family, addresses, error: null };
    } catch (error) {
      return { family, addresses: [], error };
    }
  }

  /** Both families at once. The slower one is waited for only a moment once the other has brought addresses. */
  function askBoth(name: string): Promise<readonly Answer[]> {
    return new Promise((resolve) => {
      const answers: Answer[] = [];
      const take = (answer: Answer) => {
        answers.push(answer);
        if (answers.length === 2) return resolve(answers);
        if (answer.addresses.length > 0) options.clock.after(OTHER_FAMILY_MS, () => resolve(answers));
      };
      void ask(name, 4).then(take);
      void ask(name, 6).then(take);
    });
  }

  return {
    literal: (host) => (isIP(host) === 0 ? null : host),
    async resolve(host) {
      const name = host.endsWith('.') ? host.slice(0, -1) : host;
      const fixed = hosts.addresses(name);
      if (fixed !== null) return fixed;
      if (!isAskable(name)) throw new NameError(`"${name.slice(0, NAME_CHARACTERS_MAX)}" is not a valid host name`);
      const answers = await askBoth(name);
      const found = [4, 6].flatMap((family) => answers.find((answer) => answer.family === family)?.addresses ?? []);
      if (found.length === 0) throw new NameError(inPlainWords(name, answers));
      return found;
    },
  };
}

/** c-ares reads resolv.conf once; a new one is made when the file has changed, as when a laptop or a VPN moves. */
function currentResolver(options: ResolverOptions): () => CaresResolver {
  const make = () => {
    const made = new CaresResolver({ timeout: DNS_TRY_MS, tries: DNS_TRIES });
    if (options.servers !== null) made.setServers(options.servers);
    return made;
  };
  let resolver = make();
  let readMs = modifiedMs(options.resolvConfPath);
  let lookedMs = options.clock.monotonic();
  return () => {
    const now = options.clock.monotonic();
    if (options.servers !== null || now - lookedMs < CONFIGURATION_LOOK_MS) return resolver;
    lookedMs = now;
    const changedMs = modifiedMs(options.resolvConfPath);
    if (changedMs !== readMs) resolver = make();
    readMs = changedMs;
    return resolver;
  };
}

function isAskable(name: string): boolean {
  return (
    name.length <= NAME_CHARACTERS_MAX && name.split('.').every((label) => label.length >= 1 && label.length <= 63)
  );
}

const MEANINGS: ReadonlyMap<string, string> = new Map([
  ['ENOTFOUND', 'does not exist (the name servers answered NXDOMAIN)'],
  ['ENODATA', 'exists but has no IPv4 or IPv6 address'],
  ['ESERVFAIL', 'could not be resolved: the name servers answered SERVFAIL, a fault on their side'],
  ['EREFUSED', 'could not be resolved: the name servers refused to answer (REFUSED)'],
  ['EFORMERR', 'could not be resolved: the name servers did not understand the question (FORMERR)'],
  ['ENOTIMP', 'could not be resolved: the name servers do not do such look-ups (NOTIMP)'],
  ['EBADRESP', 'could not be resolved: the name servers sent an unreadable answer'],
  ['EBADNAME', 'is not a valid host name'],
  ['ETIMEOUT', 'could not be resolved: no name server answered in time'],
  ['ECONNREFUSED', 'could not be resolved: no name server can be reached'],
]);

/** The answer that tells most: a real refusal before "no address of this family". */
function inPlainWords(name: string, answers: readonly Answer[]): string {
  const codes = answers.map((answer) => errorCode(answer.error));
  const code = codes.find((each) => each !== 'ENODATA') ?? 'ENODATA';
  return `"${name}" ${MEANINGS.get(code) ?? 'could not be resolved'}`;
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
