import { Resolver } from 'node:dns/promises';

const ATTEMPT_TIMEOUT_MS = 2_000;
const ATTEMPTS_MAX = 2;
/** Records that are compared. A name with more is not one that was set up for Picket. */
const RECORDS_MAX = 50;

/** The records of a name, or why there is no answer. `failed`: the servers did not answer, so nothing is known. */
export type TxtAnswer = { kind: 'found'; values: string[] } | { kind: 'none' } | { kind: 'failed'; error: string };

export type TxtLookup = (name: string) => Promise<TxtAnswer>;

/** Returns a lookup through these servers (`PICKET_DNS_SERVERS`); through those of the system when there are none. It never rejects. */
export function createTxtLookup(servers: readonly string[]): TxtLookup {
  return async (name) => {
    // Each lookup has a resolver of its own, so that nothing of an earlier one remains: no cache and no socket.
    const resolver = new Resolver({ timeout: ATTEMPT_TIMEOUT_MS, tries: ATTEMPTS_MAX });
    if (servers.length > 0) resolver.setServers(servers);
    try {
      const records = await resolver.resolveTxt(name);
      return { kind: 'found', values: records.slice(0, RECORDS_MAX).map((strings) => strings.join('')) };
    } catch (error) {
      const code = String(Object(error).code ?? 'UNKNOWN');
      return code === 'ENOTFOUND' || code === 'ENODATA' ? { kind: 'none' } : { kind: 'failed', error: code };
    }
  };
}
