import type { Clock } from '../../../kernel/clock.js';

/** An inventory of a server is stored at most this often. Agents send one per connection and one when it changes. */
const PERIOD_MS = 10_000;
/** Servers whose newest inventory waits for the end of its period. Further ones are dropped until there is room. */
const WAITING_SERVERS_MAX = 100;

/** Limits how often the inventory of each server is stored. */
export interface InventoryThrottle<T> {
  /** Stores the inventory now, or the newest one at the end of the period. Returns false when it was dropped. */
  offer(serverId: string, inventory: T): boolean;
}

export function createInventoryThrottle<T>(
  clock: Pick<Clock, 'after'>,
  store: (serverId: string, inventory: T) => void,
): InventoryThrottle<T> {
  /** The servers whose period has not ended, with the inventory that waits for its end. */
  const periods = new Map<string, T | null>();
  let waiting = 0;

  function begin(serverId: string): void {
    periods.set(serverId, null);
    clock.after(PERIOD_MS, () => {
      const next = periods.get(serverId) ?? null;
      periods.delete(serverId);
      if (next === null) return;
      waiting -= 1;
      begin(serverId);
      store(serverId, next);
    });
  }

  return {
    offer(serverId, inventory) {
      const before = periods.get(serverId);
      if (before === undefined) {
        begin(serverId);
        store(serverId, inventory);
        return true;
      }
      if (before === null && waiting >= WAITING_SERVERS_MAX) return false;
      if (before === null) waiting += 1;
      periods.set(serverId, inventory);
      return true;
    },
  };
}
