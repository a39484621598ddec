import type { MonitorSteps } from '../../../../api/types.ts';

/**
 * The rows that are in the window settle before their history is read, so that fast scrolling reads nothing. Longer than a
 * frame of a slow phone.
 */
const SETTLE_MS = 150;
/** The API accepts this many monitors at once. */
const BATCH_IDS = 100;
/** The roll-up changes history this often. */
const FRESH_MS = 300_000;
/** A row of 30 steps takes about a kilobyte. */
const ENTRIES_MAX = 3_000;

/** The history of the monitors that rows show, by id. Null: there is none. */
export interface HistoryCache {
  /** Returns undefined for what has not been read. */
  get(id: string): MonitorSteps | null | undefined;
  /** Reads the history of these monitors soon, unless others are asked for before. */
  want(ids: readonly string[]): void;
  subscribe(listener: () => void): () => void;
  /** Begins to read. Returns a function that ends it. */
  resume(): () => void;
}

/** Returns a cache. A failed read is repeated when the rows are asked for again. */
export function createHistoryCache(
  readSteps: (ids: readonly string[], signal: AbortSignal) => Promise<readonly MonitorSteps[]>,
  nowMs: () => number = Date.now,
): HistoryCache {
  const entries = new Map<string, { steps: MonitorSteps | null; atMs: number }>();
  const listeners = new Set<() => void>();
  let abort = new AbortController();
  let wanted: readonly string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReading = false;

  const missing = () =>
    wanted.filter((id) => nowMs() - (entries.get(id)?.atMs ?? Number.NEGATIVE_INFINITY) > FRESH_MS).slice(0, BATCH_IDS);

  function keep(ids: readonly string[], found: readonly MonitorSteps[]): void {
    const byId = new Map(found.map((steps) => [steps.monitor_id, steps]));
    for (const id of ids) {
      entries.delete(id);
      entries.set(id, { steps: byId.get(id) ?? null, atMs: nowMs() });
    }
    for (const id of entries.keys()) {
      if (entries.size <= ENTRIES_MAX) break;
      entries.delete(id);
    }
    for (const listener of listeners) listener();
  }

  async function readMissing(): Promise<void> {
    const ids = missing();
    if (isReading || ids.length === 0) return;
    isReading = true;
    try {
      keep(ids, await readSteps(ids, abort.signal));
    } catch {
      // Rows without bars stay; the next scroll or answer of the list asks again.
      return;
    } finally {
      isReading = false;
    }
    await readMissing();
  }

  return {
    get: (id) => entries.get(id)?.steps,
    want(ids) {
      wanted = ids;
      clearTimeout(timer);
      timer = setTimeout(() => void readMissing(), SETTLE_MS);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    resume() {
      abort = new AbortController();
      return () => {
        clearTimeout(timer);
        abort.abort();
      };
    },
  };
}
