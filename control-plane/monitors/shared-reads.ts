import { setImmediate as nextTick } from 'node:timers/promises';

interface Run<T> {
  hasBegun: boolean;
  current: Promise<T>;
  next: Promise<T> | null;
}

/**
 * Returns a function that shares one read between concurrent callers with the same key. A read starts after all
 * requests that have arrived were processed. A caller that comes during a read shares the next one, so that nothing
 * older than its request is returned.
 */
export function createSharedReads<T>(): (key: string, read: () => Promise<T>) => Promise<T> {
  const runs = new Map<string, Run<T>>();

  function start(key: string, read: () => Promise<T>): Promise<T> {
    const begin = async () => {
      await nextTick();
      run.hasBegun = true;
      return read();
    };
    const run: Run<T> = { hasBegun: false, current: begin(), next: null };
    runs.set(key, run);
    const remove = () => {
      if (runs.get(key) === run && run.next === null) runs.delete(key);
    };
    run.current.then(remove, remove);
    return run.current;
  }

  return (key, read) => {
    const run = runs.get(key);
    if (run === undefined) return start(key, read);
    if (!run.hasBegun) return run.current;
    const startNext = () => start(key, read);
    run.next ??= run.current.then(startNext, startNext);
    return run.next;
  };
}

/** Like `createSharedReads`, for rows by id: ids that are requested during a read are read together after it. */
export function createBatchedReads<Row extends { _id: string }>(
  readMany: (group: string, ids: string[]) => Promise<Row[]>,
): (group: string, id: string) => Promise<Row | null> {
  const share = createSharedReads<Map<string, Row>>();
  const requested = new Map<string, Set<string>>();

  async function readRequested(group: string): Promise<Map<string, Row>> {
    const ids = [...(requested.get(group) ?? [])];
    requested.delete(group);
    return new Map((await readMany(group, ids)).map((row) => [row._id, row]));
  }

  return async (group, id) => {
    const ids = requested.get(group) ?? new Set();
    requested.set(group, ids.add(id));
    return (await share(group, () => readRequested(group))).get(id) ?? null;
  };
}
