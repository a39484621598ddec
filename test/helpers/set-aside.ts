import type { RefusedRecord, SetAside } from '../../control-plane/storage/writes/insert-new.js';

/** For tests whose records the database accepts: a refusal fails the write. */
export const neverSetAside: SetAside = async ({ error }) => {
  throw error;
};

/** Keeps what is set aside in memory. */
export function keepSetAside(): { setAside: SetAside; kept: RefusedRecord[] } {
  const kept: RefusedRecord[] = [];
  return { setAside: async (refused) => void kept.push(refused), kept };
}
