/** Runs reads one after another, so that an older read never overwrites the result of a newer one. */
export interface ReadQueue {
  /** Runs a read that no other read overlaps. */
  exclusive(run: () => Promise<void>): Promise<void>;
  /** Resolves when these ids, and all others requested before their read began, have been read. */
  request(ids: readonly string[]): Promise<void>;
  /** Resolves when no read is running. */
  idle(): Promise<void>;
}

/** Returns a queue around `read`. Ids that are requested during a read are read together after it. */
export function createReadQueue(read: (ids: readonly string[]) => Promise<void>): ReadQueue {
  let last: Promise<void> = Promise.resolve();
  let requested = new Set<string>();
  let next: Promise<void> | null = null;

  function exclusive(run: () => Promise<void>): Promise<void> {
    const done = last.then(run);
    // A failed read must not stop the later ones. Its own caller gets the error.
    last = done.catch(() => undefined);
    return done;
  }

  async function readRequested(): Promise<void> {
    const ids = [...requested];
    requested = new Set();
    next = null;
    try {
      await read(ids);
    } catch (error) {
      for (const id of ids) requested.add(id);
      throw error;
    }
  }

  return {
    exclusive,
    request(ids) {
      for (const id of ids) requested.add(id);
      next ??= exclusive(readRequested);
      return next;
    },
    idle: () => last,
  };
}
