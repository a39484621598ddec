import type { UserDocument } from '../accounts/documents.js';
import type { Guesser, Passwords } from '../accounts/passwords/password.js';
import { userOfActor } from '../accounts/user-of-actor.js';
import type { UsersStore } from '../accounts/users-store.js';
import type { Actor } from '../actor.js';
import { AppError, invalidField } from '../errors.js';
import type { FailedLogIn, RecordFailedLogIn } from '../sessions/failed-log-in.js';
import type { RunTransaction } from '../storage/transaction.js';

/**
 * Makes a guess of the password of an account from an address, and counts it like one of a log-in. Resolves to whether
 * it was right. Throws `rate_limited` after too many wrong ones.
 */
export type CountedGuess = (account: Guesser, guess: () => Promise<boolean>) => Promise<boolean>;

/** Proves that a person knows their password. */
export interface OwnPassword {
  /** Resolves to the person. Throws 422 for a wrong password, 429 after too many, 409 for a person without one. */
  require(actor: Actor, path: string, password: string): Promise<UserDocument>;
  /** The same for a person who is not logged in. */
  requireOf(user: UserDocument, client: FailedLogIn['client'], path: string, password: string): Promise<void>;
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
  const requireRight = async (
    user: UserDocument,
    { client, isKnown }: { client: FailedLogIn['client']; isKnown: boolean },
    path: string,
    password: string,
  ) => {
    if (user.password_hash === null) {
      throw new AppError('conflict', 'This account has no password. Ask for one with "forgotten password" first.');
    }
    const guesser = { email: user.email, ip: client.ip, isKnown };
    const right = await countedGuess(guesser, async () => {
      if (await passwords.verify(user.password_hash, password, guesser)) return true;
      const failed = { user, email: user.email, client, method: 'password', reason: 'confirmation' } as const;
      await runTransaction((tx) => recordFailure(tx, failed));
      return false;
    });
    if (!right) throw invalidField(path, 'is wrong', 'wrong');
  };
  return {
    async require(actor, path, password) {
      const user = await userOfActor(users, actor);
      await requireRight(user, { client: actor, isKnown: true }, path, password);
      return user;
    },
    requireOf: (user, client, path, password) => requireRight(user, { client, isKnown: false }, path, password),
  };
}
