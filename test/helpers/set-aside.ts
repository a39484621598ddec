import type { SetAside } from '../../control-plane/storage/insert-new.js';

/** For tests whose records the database accepts: a refusal fails the write. */
export const neverSetAside: SetAside = async ({ error }) => {
  throw error;
};
