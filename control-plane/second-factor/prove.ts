import type { UsersStore } from '../accounts/users-store.js';
import { AppError, invalidField, notFound } from '../errors.js';
import type { SecondFactorCheck } from '../sessions/second-factor-check.js';
import type { Transaction } from '../storage/transaction.js';
import type { AttemptLimit } from './attempts/limit.js';
import type { Person } from './person.js';
import type { SecondFactorProof } from './schema.js';

/** Throws 422 without a second factor, 403 for a wrong one, and 429 after too many wrong ones. */
export type ProveFactor = (tx: Transaction, person: Person, given: SecondFactorProof) => Promise<void>;

/** Returns the check of a second factor that a change needs. */
export function createProveFactor(needs: {
  users: UsersStore;
  /** Without a limit of its own. */
  check: SecondFactorCheck;
  attempts: AttemptLimit;
}): ProveFactor {
  const { users, check, attempts } = needs;
  return async (tx, { userId, actor }, given) => {
    if (Object.keys(given).length === 0) throw invalidField('', 'must contain totp, recovery_code or passkey');
    const user = await users.findIn(tx, userId);
    if (user === null) throw notFound('user');
    const right = await attempts.attempt(userId, async () => (await check.verify(tx, user, given, actor)) === 'right');
    if (!right) throw new AppError('forbidden', 'The second factor is wrong, or it was used before.');
  };
}
