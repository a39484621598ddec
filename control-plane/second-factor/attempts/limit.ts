import type { Random } from '../../../kernel/random.js';
import { AppError } from '../../errors.js';
import type { AttemptsStore } from './store.js';

/** Six digits have 10^6 values, of which three are right at a time: ten wrong guesses hit one in 33,000 times. */
const WRONG_MAX = 10;
const WINDOW_MS = 900_000;
const ATTEMPT_BYTES = 9;

/** Limits the wrong guesses of a person who is signed in, at whatever control plane. */
export interface AttemptLimit {
  /**
   * Runs `check`, which resolves to whether the guess is right. Throws `rate_limited` instead after ten wrong guesses
   * within fifteen minutes. A guess counts from before the check, so that concurrent guesses cannot exceed the limit, and
   * outside the transaction of the caller, so that it counts although the request changes nothing.
   */
  attempt(userId: string, check: () => Promise<boolean>): Promise<boolean>;
}

export function createAttemptLimit({ store, random }: { store: AttemptsStore; random: Random }): AttemptLimit {
  return {
    async attempt(userId, check) {
      const id = random.bytes(ATTEMPT_BYTES).toString('base64url');
      const waitMs = await store.add(userId, id, { max: WRONG_MAX, windowMs: WINDOW_MS });
      if (waitMs !== null) throw tooMany(waitMs);
      let wrong = false;
      try {
        const right = await check();
        wrong = !right;
        return right;
      } finally {
        // A check that failed, for example by a write conflict, says nothing about the guess.
        if (!wrong) await store.remove(userId, id);
      }
    },
  };
}

function tooMany(waitMs: number): AppError {
  const waitS = Math.max(1, Math.ceil(waitMs / 1_000));
  return new AppError('rate_limited', `Too many wrong confirmations. Retry in ${waitS} s.`, {
    headers: { 'Retry-After': String(waitS) },
  });
}
