import { systemClock } from '../../../kernel/clock.js';
import { inParallel } from '../../../kernel/concurrency/in-parallel.js';
import type { WriteOutcome } from './bulk-write-in-time.js';

/** Of the write of all together. */
const ALL_MS_MAX = 3_000;
/** Of the write of one document. */
export const ONE_MS_MAX = 500;
/** Of all single writes: the sender of the data waits for their acknowledgement. */
const EACH_MS_MAX = 3_000;
/** How many single writes are under way. */
const PARALLEL = 8;

/** Writes that a locked document keeps waiting for a limited time only. */
export interface UnlockedWrites<Item> {
  /**
   * Writes all together, and if that takes too long, does what `applyEach` does. Resolves to those that another transaction
   * keeps from being written, or for which no time was left.
   */
  apply(items: readonly Item[]): Promise<readonly Item[]>;
  /** Writes those of each document by themselves. Resolves to those that were not tried before those that were. */
  applyEach(items: readonly Item[]): Promise<readonly Item[]>;
}

export function createUnlockedWrites<Item>(needs: {
  /** Returns the id of the document that an item changes. */
  idOf(item: Item): string;
  /** Idempotent. Takes no longer than about `msMax`. */
  write(items: readonly Item[], msMax: number): Promise<WriteOutcome>;
  /** Waits until a majority has what was written. */
  confirm(): Promise<void>;
}): UnlockedWrites<Item> {
  const { idOf, write, confirm } = needs;

  async function applyEach(items: readonly Item[]): Promise<readonly Item[]> {
    const untilMs = systemClock.monotonic() + EACH_MS_MAX;
    const untried: Item[] = [];
    const locked: Item[] = [];
    let isConfirmed = true;
    await inParallel(byId(items, idOf).values(), PARALLEL, async (group) => {
      const outcome = systemClock.monotonic() < untilMs ? await write(group, ONE_MS_MAX) : null;
      if (outcome === null) untried.push(...group);
      if (outcome === 'locked') locked.push(...group);
      if (outcome === 'unconfirmed') isConfirmed = false;
    });
    if (!isConfirmed) await confirm();
    return [...untried, ...locked];
  }

  return {
    applyEach,
    async apply(items) {
      const outcome = items.length === 0 ? 'done' : await write(items, ALL_MS_MAX);
      if (outcome === 'locked') return applyEach(items);
      if (outcome === 'unconfirmed') await confirm();
      return [];
    },
  };
}

function byId<Item>(items: readonly Item[], idOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(idOf(item));
    if (group === undefined) groups.set(idOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
