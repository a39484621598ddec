import type { Random } from '../../../kernel/random.js';
import { AppError } from '../../errors.js';
import type { AttemptsStore, AttemptWindow } from './store.js';

/**
 * Wrong guesses of somebody who is logged in. Six digits have 10^6 values, of which three are right at a time, so ten
 * guesses find one in 33,000 times.
 */
export const CONFIRMATION_GUESSES: AttemptWindow = { max: 10, windowMs: 900_000 };
/**
 * Wrong second factors after the right password, from anywhere. Only somebody with the password can use them up, so this
 * locks nobody out whose password is secret. In a day they find a code with a probability of 0.2 %.
 */
export const LOG_IN_GUESSES: AttemptWindow = { max: 30, windowMs: 3_600_000 };

const ATTEMPT_BYTES = 9;

/** Limits the wrong guesses of one kind about each person, at all control planes together. */
export interface AttemptLimit {
  /**
   * Runs `check`, which resolves to whether the guess is right. Throws `rate_limited` instead when the person has no
   * wrong guesses left. A guess counts from before the check, so that concurrent guesses cannot exceed the limit, and
   * outside the transaction of the caller, so that it counts although the request changes nothing.
   */
  attempt(userId: string, check: () => Promise<boolean>): Promise<boolean>;
}

/** `kind` tells the counters of several limits apart. */
export function createAttemptLimit(needs: {
  store: AttemptsStore;
  random: Random;
  kind: string;
  limit: AttemptWindow;
}): AttemptLimit {
  const { store, random, kind, limit } = needs;
  return {
    async attempt(userId, check) {
      const counter = `${kind}/${userId}`;
      const id = random.bytes(ATTEMPT_BYTES).toString('base64url');
      const waitMs = await store.add(counter, id, limit);
      if (waitMs !== null) throw tooMany(waitMs);
      let wrong = false;
      try {
        const right = await check();
        wrong = !right;
        return right;
      } finally {
        // A check that failed, for example by a write conflict, says nothing about the guess.
        if (!wrong) await store.remove(counter, id);
      }
    },
  };
}

function tooMany(waitMs: number): AppError {
  const waitS = Math.max(1, Math.ceil(waitMs / 1_000));
  return new AppError('rate_limited', `There were too many wrong guesses. Retry in ${waitS} s.`, {
    headers: { 'Retry-After': String(waitS) },
  });
}
