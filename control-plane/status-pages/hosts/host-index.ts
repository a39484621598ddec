import type { Clock } from '../../../kernel/clock.js';
import type { StatusPageStore } from '../store.js';
import { isOfSameDomain } from './host-name.js';

/** A change of the host names of a page takes effect within this time. */
const USABLE_MS = 3_000;
/** Names in memory, most of them of no page: anybody can send any name. */
const NAMES_MAX = 1_000;

/** What is known of a host name that a page has. */
export interface KnownHost {
  slug: string;
  isVerified: boolean;
}

/** Finds the page of a host name, with at most one query for each name in 3 s. */
export interface HostIndex {
  /**
   * Resolves to null for a name of no page. A name that is not verified is found as well, so that it shows neither the page nor
   * Picket, but not one in the domain of Picket itself: whoever runs Picket may use it. Rejects while the database is away, unless the
   * name was found before.
   */
  find(name: string): Promise<KnownHost | null>;
}

interface Entry {
  found: KnownHost | null;
  atMs: number;
}

export function createHostIndex({
  store,
  publicUrl,
  clock,
}: {
  store: Pick<StatusPageStore, 'findByHost'>;
  publicUrl: string;
  clock: Clock;
}): HostIndex {
  const entries = new Map<string, Entry>();
  const reading = new Map<string, Promise<KnownHost | null>>();

  async function read(name: string): Promise<KnownHost | null> {
    const atMs = clock.monotonic();
    const page = await store.findByHost(name);
    const isVerified = page?.verified_hosts?.includes(name) === true;
    const isHidden = !isVerified && isOfSameDomain(name, publicUrl);
    const found = page === null || isHidden ? null : { slug: page.slug, isVerified };
    entries.delete(name);
    if (entries.size >= NAMES_MAX) entries.delete(entries.keys().next().value ?? '');
    entries.set(name, { found, atMs });
    return found;
  }

  function readOnce(name: string): Promise<KnownHost | null> {
    const before = reading.get(name);
    if (before !== undefined) return before;
    const now = read(name).finally(() => reading.delete(name));
    reading.set(name, now);
    return now;
  }

  return {
    async find(name) {
      const known = entries.get(name);
      if (known !== undefined && clock.monotonic() - known.atMs < USABLE_MS) return known.found;
      try {
        return await readOnce(name);
      } catch (error) {
        if (known === undefined) throw error;
        return known.found;
      }
    },
  };
}
