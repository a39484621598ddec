import type { Db } from 'mongodb';
import { createHeadStore, type HeadStore } from './head-store.js';
import { createSlotStore, type SlotStore } from './slot-store.js';

/** Everything that the roll-up stores. */
export interface RollupStore extends HeadStore, SlotStore {}

export function createRollupStore(db: Db): RollupStore {
  const heads = createHeadStore(db);
  const slots = createSlotStore(db);
  return {
    ...heads,
    ...slots,
    async ensureIndexes() {
      await Promise.all([heads.ensureIndexes(), slots.ensureIndexes()]);
    },
  };
}
