/** Runs work for keys: keys that wait go together, one run at a time for each key and so many runs in all. */
export interface KeyedQueue {
  /**
   * Resolves when a run for the key has ended that began after this call: a call that finds one waiting joins it,
   * one that finds one running waits for the next. Rejects with what the work says of this key.
   */
  run(key: string): Promise<void>;
  /** Resolves once nothing runs or waits. */
  idle(): Promise<void>;
}

interface Entry {
  done: Promise<void>;
  settle: (error: unknown) => void;
  /** The run after the one that goes on; null while it waits itself, or nobody asked for another. */
  next: Entry | null;
  running: boolean;
}

/** Works on several keys at once; resolves what went wrong, by key. What it rejects with goes for all of them. */
export type KeyedWork = (keys: readonly string[]) => Promise<ReadonlyMap<string, unknown>>;

export function createKeyedQueue(limits: { runsMax: number; keysMax: number }, work: KeyedWork): KeyedQueue {
  const entries = new Map<string, Entry>();
  const waiting: string[] = [];
  const idlers: (() => void)[] = [];
  let active = 0;
  let scheduled = false;

  function enter(key: string): Entry {
    const entry = createEntry();
    entries.set(key, entry);
    waiting.push(key);
    if (!scheduled) {
      scheduled = true;
      // What is asked for in one go starts together.
      queueMicrotask(() => {
        scheduled = false;
        startRuns();
      });
    }
    return entry;
  }

  function startRuns(): void {
    while (active < limits.runsMax && waiting.length > 0) void perform(waiting.splice(0, limits.keysMax));
  }

  async function perform(keys: readonly string[]): Promise<void> {
    active += 1;
    // Calls from here on are not served by this run: what it reads may be older than what they speak of.
    for (const key of keys) {
      const entry = entries.get(key);
      if (entry !== undefined) entry.running = true;
    }
    const failures = await work(keys).catch((error: unknown) => new Map(keys.map((key) => [key, error] as const)));
    active -= 1;
    for (const key of keys) leave(key, failures);
    startRuns();
    if (entries.size === 0) for (const wake of idlers.splice(0)) wake();
  }

  function leave(key: string, failures: ReadonlyMap<string, unknown>): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    if (entry.next !== null) {
      entries.set(key, entry.next);
      waiting.push(key);
    }
    entry.settle(failures.has(key) ? (failures.get(key) ?? new Error(`work on ${key} failed`)) : null);
  }

  return {
    run(key) {
      const entry = entries.get(key);
      if (entry === undefined) return enter(key).done;
      if (!entry.running) return entry.done;
      entry.next ??= createEntry();
      return entry.next.done;
    },
    async idle() {
      if (entries.size > 0) await new Promise<void>((resolve) => idlers.push(resolve));
    },
  };
}

function createEntry(): Entry {
  let settle: Entry['settle'] = () => undefined;
  const done = new Promise<void>((resolve, reject) => {
    settle = (error) => (error === null ? resolve() : reject(error));
  });
  return { done, settle: (error) => settle(error), next: null, running: false };
}
