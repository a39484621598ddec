import { setImmediate as turn } from 'node:timers/promises';

interface Run<T> {
  hasBegun: boolean;
  now: Promise<T>;
  next: Promise<T> | null;
}

/**
 * One read for all who ask the same at the same time. It begins after what has arrived already was looked at, and who
 * asks while it is under way shares the next one: nobody gets an answer from before the question.
 */
export function createSharedReads<T>(): (key: string, read: () => Promise<T>) => Promise<T> {
  const runs = new Map<string, Run<T>>();

  function start(key: string, read: () => Promise<T>): Promise<T> {
    const begin = async () => {
      await turn();
      run.hasBegun = true;
      return read();
    };
    const run: Run<T> = { hasBegun: false, now: begin(), next: null };
    runs.set(key, run);
    const forget = () => {
      if (runs.get(key) === run && run.next === null) runs.delete(key);
    };
    run.now.then(forget, forget);
    return run.now;
  }

  return (key, read) => {
    const run = runs.get(key);
    if (run === undefined) return start(key, read);
    if (!run.hasBegun) return run.now;
    const again = () => start(key, read);
    run.next ??= run.now.then(again, again);
    return run.next;
  };
}

/** As `createSharedReads`, for rows by id: those asked for while a read is under way are read together after it. */
export function createBatchedReads<Row extends { _id: string }>(
  readMany: (group: string, ids: string[]) => Promise<Row[]>,
): (group: string, id: string) => Promise<Row | null> {
  const share = createSharedReads<Map<string, Row>>();
  const wanted = new Map<string, Set<string>>();

  async function readWanted(group: string): Promise<Map<string, Row>> {
    const ids = [...(wanted.get(group) ?? [])];
    wanted.delete(group);
    return new Map((await readMany(group, ids)).map((row) => [row._id, row]));
  }

  return async (group, id) => {
    const ids = wanted.get(group) ?? new Set();
    wanted.set(group, ids.add(id));
    return (await share(group, () => readWanted(group))).get(id) ?? null;
  };
}
