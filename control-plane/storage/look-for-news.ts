import type { Clock } from '../../kernel/clock.js';

/**
 * How often the database is asked for the newest entry of a list that control planes leave each other: one look into
 * an index. A change stream would tell sooner, but it reads every write of the whole database to find those few, a
 * tenth of the database's time at 10,000 monitors (docs/decisions/0007).
 */
export const NEWS_MS = 250;

/** Entries that were committed later than their times say have the newest one's turn missed; this finds them. */
const CERTAIN_MS = 2_000;

/**
 * Makes a look: `read` runs when `newest` names another entry than before, and in any case each two seconds. What
 * fails is looked at again the next time.
 */
export function createLook(options: {
  /** Names the newest entry and its state; null where there is none. */
  newest(): Promise<string | null>;
  read(): Promise<void>;
  clock: Pick<Clock, 'monotonic'>;
}): () => Promise<void> {
  const { newest, read, clock } = options;
  let seen: string | null = null;
  let readAtMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const startedMs = clock.monotonic();
    const mark = await newest();
    if (mark === seen && startedMs - readAtMs < CERTAIN_MS) return;
    await read();
    seen = mark;
    readAtMs = startedMs;
  };
}
