import type { UserDocument } from '../accounts/documents.js';
import type { Passwords } from '../accounts/passwords/password.js';
import { userOfActor } from '../accounts/user-of-actor.js';
import type { UsersStore } from '../accounts/users-store.js';
import type { Actor } from '../actor.js';
import { AppError, invalidField } from '../errors.js';
import type { RecordFailedLogIn } from '../sessions/failed-log-in.js';
import type { RunTransaction } from '../storage/transaction.js';

/**
 * Makes a guess of the password of an account from an address, and counts it like one of a log-in. Resolves to whether
 * it was right. Throws `rate_limited` after too many wrong ones.
 */
export type CountedGuess = (
  account: { email: string; ip: string | null },
  guess: () => Promise<boolean>,
) => Promise<boolean>;

/** Proves that the person who is signed in knows their password. */
export interface OwnPassword {
  /** Resolves to the person. Throws 422 for a wrong password, 429 after too many, 409 for a person without one. */
  require(actor: Actor, path: string, password: string): Promise<UserDocument>;
}

/** Wrong passwords count and are recorded like those of log-ins, so that an open session cannot be used to guess. */
export function createOwnPassword(needs: {
  users: UsersStore;
  passwords: Passwords;
  countedGuess: CountedGuess;
  recordFailure: RecordFailedLogIn;
  runTransaction: RunTransaction;
}): OwnPassword {
  const { users, passwords, countedGuess, recordFailure, runTransaction } = needs;
  return {
    async require(actor, path, password) {
      const user = await userOfActor(users, actor);
      if (user.password_hash === null) {
        throw new AppError('conflict', 'This account has no password. Ask for one with "forgotten password" first.');
      }
      const right = await countedGuess({ email: user.email, ip: actor.ip }, async () => {
        if (await passwords.verify(user.password_hash, password)) return true;
        const failed = { user, email: user.email, client: actor, method: 'password', reason: 'confirmation' } as const;
        await runTransaction((tx) => recordFailure(tx, failed));
        return false;
      });
      if (!right) throw invalidField(path, 'is wrong');
      return user;
    },
  };
}
