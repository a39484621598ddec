import type { Answer, Exchanges, Names, Texts, Unanswered } from '../../../kernel/dns/answer.js';
import type { DnsClient } from '../../../kernel/dns/dns-client.js';

/** Lookups of one check: enough for the largest domain, and a bound on what hostile records can cost. */
const LOOKUPS_MAX = 200;

/** The lookups of one check. Each name is asked at most once for a type. They never reject. */
export interface Lookups {
  texts(name: string): Promise<Texts>;
  exchanges(name: string): Promise<Exchanges>;
  /** IPv4 and IPv6, all of them: an answer has room for 4,000. Fails only if no family has an address and one of them failed. */
  addresses(name: string): Promise<Answer>;
  namesOf(address: string): Promise<Names>;
}

/** Beyond the limit, each lookup fails with `LIMIT`. */
export function createLookups(dns: DnsClient, lookupsMax = LOOKUPS_MAX): Lookups {
  const known = new Map<string, Promise<unknown>>();
  let used = 0;

  function once<T>(type: string, name: string, ask: () => Promise<T>): Promise<T | Unanswered> {
    const key = `${type} ${name.toLowerCase()}`;
    const before = known.get(key);
    // The key has the type, and each type is asked by one function.
    if (before !== undefined) return before as Promise<T | Unanswered>;
    if (used >= lookupsMax) return Promise.resolve({ kind: 'failed', error: 'LIMIT' });
    used++;
    const answer = ask();
    known.set(key, answer);
    return answer;
  }

  return {
    texts: (name) => once('TXT', name, () => dns.resolveTxt(name)),
    exchanges: (name) => once('MX', name, () => dns.resolveMx(name)),
    namesOf: (address) => once('PTR', address, () => dns.reverse(address)),
    async addresses(name) {
      const both = await Promise.all([
        once('A', name, () => dns.resolve4(name)),
        once('AAAA', name, () => dns.resolve6(name)),
      ]);
      const addresses = both.flatMap((answer) => (answer.kind === 'addresses' ? answer.addresses : []));
      if (addresses.length > 0) return { kind: 'addresses', addresses };
      const failed = both.find(({ kind }) => kind === 'failed' || kind === 'timeout');
      return failed ?? both[0];
    },
  };
}
