import type { Clock } from '../../../kernel/clock.js';
import type { StatusPageStore } from '../store.js';

/** A change of the host names of a page takes effect within this time. */
const USABLE_MS = 3_000;
/** Names in memory, most of them of no page: anybody can send any name. */
const NAMES_MAX = 1_000;

/** Finds the page of a host name, with at most one query for each name in 3 s. */
export interface HostIndex {
  /**
   * Resolves to the slug of the page that has verified the name, or null. A name that is not verified is not found: a claim must not
   * take away a name under which Picket itself is reached. Rejects while the database is away, unless the name was found before.
   */
  find(name: string): Promise<string | null>;
}

interface Entry {
  found: string | null;
  atMs: number;
}

export function createHostIndex({
  store,
  clock,
}: {
  store: Pick<StatusPageStore, 'findByVerifiedHost'>;
  clock: Clock;
}): HostIndex {
  const entries = new Map<string, Entry>();
  const reading = new Map<string, Promise<string | null>>();

  async function read(name: string): Promise<string | null> {
    const atMs = clock.monotonic();
    const found = (await store.findByVerifiedHost(name))?.slug ?? null;
    entries.delete(name);
    if (entries.size >= NAMES_MAX) entries.delete(entries.keys().next().value ?? '');
    entries.set(name, { found, atMs });
    return found;
  }

  function readOnce(name: string): Promise<string | null> {
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
