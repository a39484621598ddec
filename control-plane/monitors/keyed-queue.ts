/** Runs work for keys, one at a time for each key and so many in all. */
export interface KeyedQueue {
  /**
   * Resolves when a run for the key has ended that began after this call: a call that finds one waiting joins it,
   * one that finds one running waits for the next.
   */
  run(key: string): Promise<void>;
  /** Resolves once nothing runs or waits. */
  idle(): Promise<void>;
}

interface Entry {
  running: Promise<void>;
  /** The run after the one that goes on. */
  next: Promise<void> | null;
}

export function createKeyedQueue(concurrencyMax: number, work: (key: string) => Promise<void>): KeyedQueue {
  const entries = new Map<string, Entry>();
  const started = new WeakSet<Entry>();
  const waiting: (() => void)[] = [];
  let active = 0;

  async function slot(): Promise<void> {
    if (active >= concurrencyMax) await new Promise<void>((resolve) => waiting.push(resolve));
    else active += 1;
  }

  function release(): void {
    const next = waiting.shift();
    // The slot goes from hand to hand, so that `active` never counts one too few.
    if (next === undefined) active -= 1;
    else next();
  }

  async function perform(key: string): Promise<void> {
    try {
      await slot();
      try {
        // Calls from here on are not served by this run: what it reads may be older than what they speak of.
        const entry = entries.get(key);
        if (entry !== undefined) started.add(entry);
        await work(key);
      } finally {
        release();
      }
    } finally {
      entries.delete(key);
    }
  }

  function begin(key: string): Promise<void> {
    const entry: Entry = { running: Promise.resolve(), next: null };
    entries.set(key, entry);
    entry.running = perform(key);
    return entry.running;
  }

  function run(key: string): Promise<void> {
    const entry = entries.get(key);
    if (entry === undefined) return begin(key);
    if (!started.has(entry)) return entry.running;
    // The entry of this run is gone by then, whatever became of it.
    entry.next ??= entry.running.then(
      () => run(key),
      () => run(key),
    );
    return entry.next;
  }

  return {
    run,
    async idle() {
      while (entries.size > 0) {
        await Promise.allSettled([...entries.values()].map((entry) => entry.next ?? entry.running));
      }
    },
  };
}
