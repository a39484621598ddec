import type { LiveStore, LiveUpdate } from './live-store.js';
import type { WaitingResults, WaitingStore } from './waiting-store.js';

/** Another control plane has kept results for so long without writing them. */
const ADOPTED_AGE_MS = 60_000;
/** Entries that are read at a time. */
const ENTRIES_MAX = 10_000;
/** After so many failures in a row, most likely it is not these results that the database refuses. */
const FAILURES_MAX = 3;

/**
 * Returns a function that writes results whose control plane may have died. The first time these are all that are kept.
 * Writing them twice does no harm. Rejects if some were refused; these keep no others waiting.
 */
export function createAdoption({
  live,
  waiting,
}: {
  live: LiveStore;
  waiting: Pick<WaitingStore, 'kept' | 'remove'>;
}): () => Promise<void> {
  let ageMs = 0;
  /** What was left the last time, those first that were not tried. All that are locked at once take too long. */
  let order = new Map<string, number>();
  return async () => {
    const place = ({ id }: WaitingResults) => order.get(id) ?? -1;
    const kept = (await waiting.kept(ageMs, ENTRIES_MAX)).toSorted((a, b) => place(a) - place(b));
    const { left, failure } = await write(live, kept);
    const ids = entriesOf(kept, left);
    order = new Map(ids.map((id, index) => [id, index]));
    await waiting.remove(kept.filter(({ id }) => !order.has(id)));
    if (failure === null || order.size < kept.length) ageMs = ADOPTED_AGE_MS;
    if (failure !== null) throw failure;
  };
}

/** Resolves to what was not written: first what was not tried, last what was refused. */
async function write(
  live: LiveStore,
  kept: readonly WaitingResults[],
): Promise<{ left: readonly LiveUpdate[]; failure: unknown }> {
  try {
    return { left: await live.apply(updatesOf(kept)), failure: null };
  } catch {
    return writeOneByOne(live, kept);
  }
}

async function writeOneByOne(live: LiveStore, kept: readonly WaitingResults[]) {
  const locked: LiveUpdate[] = [];
  const refused: LiveUpdate[] = [];
  let failure: unknown = null;
  let failures = 0;
  let tried = 0;
  for (const { updates } of kept) {
    if (failures === FAILURES_MAX) break;
    tried += 1;
    try {
      locked.push(...(await live.applyEach(updates)));
      failures = 0;
    } catch (error) {
      failure = error;
      failures += 1;
      refused.push(...updates);
    }
  }
  return { left: [...updatesOf(kept.slice(tried)), ...locked, ...refused], failure };
}

function updatesOf(kept: readonly WaitingResults[]): LiveUpdate[] {
  return kept.flatMap(({ updates }) => updates);
}

/** Returns the ids of the entries of these updates, in their order. */
function entriesOf(kept: readonly WaitingResults[], updates: readonly LiveUpdate[]): string[] {
  const entries = new Map(kept.flatMap(({ id, updates: own }) => own.map((update) => [update, id] as const)));
  return [...new Set(updates.flatMap((update) => entries.get(update) ?? []))];
}
