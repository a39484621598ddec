/** Runs work for keys. Waiting keys run together; a key has one run at a time, and the number of runs is limited. */
export interface KeyedQueue {
  /**
   * Resolves when a run for the key has ended that began after this call. A call joins a waiting run of its key; during
   * a run it waits for the next one. Rejects with the error of this key.
   */
  run(key: string): Promise<void>;
  /** Resolves once nothing runs or waits. */
  idle(): Promise<void>;
}

interface Entry {
  done: Promise<void>;
  settle: (error: unknown) => void;
  /** The run after the current one; null while the entry waits, or if no call requested another run. */
  next: Entry | null;
  running: boolean;
}

/** Works on several keys at once and resolves to the errors by key. A rejection applies to all keys. */
type KeyedWork = (keys: readonly string[]) => Promise<ReadonlyMap<string, unknown>>;

export function createKeyedQueue(limits: { runsMax: number; keysMax: number }, work: KeyedWork): KeyedQueue {
  const entries = new Map<string, Entry>();
  const waiting: string[] = [];
  const idleCallers: (() => void)[] = [];
  let active = 0;
  let scheduled = false;

  function enter(key: string): Entry {
    const entry = createEntry();
    entries.set(key, entry);
    waiting.push(key);
    if (!scheduled) {
      scheduled = true;
      // All keys that are added synchronously start together.
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
    // Later calls need another run: the data that this one reads may be older than their cause.
    for (const key of keys) {
      const entry = entries.get(key);
      if (entry !== undefined) entry.running = true;
    }
    const failures = await work(keys).catch((error: unknown) => new Map(keys.map((key) => [key, error] as const)));
    active -= 1;
    for (const key of keys) leave(key, failures);
    startRuns();
    if (entries.size === 0) for (const resolve of idleCallers.splice(0)) resolve();
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
      if (entries.size > 0) await new Promise<void>((resolve) => idleCallers.push(resolve));
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
