import type { Clock } from '../../../kernel/clock.js';

/** An inventory of a server is stored at most this often. Agents send one per connection and one when it changes. */
const PERIOD_MS = 10_000;
/**
 * Servers whose newest inventory waits for the end of its period. Further ones are dropped until there is room, also those that
 * could not be stored.
 */
const WAITING_SERVERS_MAX = 100;
/**
 * How often an inventory is stored that could not be, one period apart: until the database has ended a dead transaction that
 * has locked the server. Agents do not send it again. With more servers than may wait, the others are not tried again.
 */
const TRIES_MAX = 8;

/** Limits how often the inventory of each server is stored. */
export interface InventoryThrottle<T> {
  /**
   * Stores the inventory now, or the newest one at the end of the period. Returns false when it was dropped. One that could
   * not be stored is tried again at the end of the period unless a newer one waits.
   */
  offer(serverId: string, inventory: T): boolean;
}

/** An inventory, and how often it may be stored. */
interface Offered<T> {
  inventory: T;
  tries: number;
}

interface Period<T> {
  /** Waits for its end. */
  next: Offered<T> | null;
}

/**
 * `store` resolves to whether the inventory was stored, and never rejects. `gaveUp` is called when one could not be stored,
 * and is not tried again.
 */
export function createInventoryThrottle<T>(
  clock: Pick<Clock, 'after'>,
  store: (serverId: string, inventory: T) => Promise<boolean>,
  gaveUp: () => void,
): InventoryThrottle<T> {
  /** The servers whose period has not ended. */
  const periods = new Map<string, Period<T>>();
  let waiting = 0;

  function begin(serverId: string, { inventory, tries }: Offered<T>): void {
    const period: Period<T> = { next: null };
    periods.set(serverId, period);
    clock.after(PERIOD_MS, () => {
      periods.delete(serverId);
      if (period.next === null) return;
      waiting -= 1;
      begin(serverId, period.next);
    });
    void store(serverId, inventory).then((isStored) => {
      const current = periods.get(serverId);
      const isReplaced = period.next !== null || (current !== undefined && current !== period);
      if (isStored || isReplaced) return;
      if (current === undefined || tries === 1 || !wait(period, { inventory, tries: tries - 1 })) gaveUp();
    });
  }

  function wait(period: Period<T>, next: Offered<T>): boolean {
    if (period.next === null && waiting >= WAITING_SERVERS_MAX) return false;
    if (period.next === null) waiting += 1;
    period.next = next;
    return true;
  }

  return {
    offer(serverId, inventory) {
      const offered = { inventory, tries: TRIES_MAX };
      const period = periods.get(serverId);
      if (period !== undefined) return wait(period, offered);
      begin(serverId, offered);
      return true;
    },
  };
}
