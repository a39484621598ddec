import type { Clock } from '../../kernel/clock.js';

/**
 * How often the newest entry of a list that control planes share is queried: one lookup in an index. A change stream
 * would report a change sooner, but it reads every write of the whole database to find those few, which takes a tenth
 * of the database's time at 10,000 monitors (docs/decisions/0007).
 */
export const POLL_CHANGES_MS = 250;

/** An entry may be committed later than its time says, behind the newest one. A read at least this often finds it. */
const READ_MS_MAX = 2_000;

/**
 * Returns a function that polls for changes: it calls `read` when `newest` has changed since the last read, and at
 * least every two seconds. After an error, the next poll reads again.
 */
export function createChangePoll(options: {
  /** Resolves to a text that identifies the newest entry and its state; null when there is none. */
  newest(): Promise<string | null>;
  read(): Promise<void>;
  clock: Pick<Clock, 'monotonic'>;
}): () => Promise<void> {
  const { newest, read, clock } = options;
  let lastRead: string | null = null;
  let readAtMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const startedMs = clock.monotonic();
    const current = await newest();
    if (current === lastRead && startedMs - readAtMs < READ_MS_MAX) return;
    await read();
    lastRead = current;
    readAtMs = startedMs;
  };
}
