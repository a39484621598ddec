import type { UserDocument } from '../accounts/documents.js';
import type { Passwords } from '../accounts/password.js';
import type { UsersStore } from '../accounts/users-store.js';
import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import type { Client } from '../http/client.js';
import { canonicalEmail } from '../http/input/email-address.js';
import type { GivenFactors, SecondFactorCheck } from '../sessions/second-factor-check.js';
import type { SignIn } from '../sessions/sign-in.js';
import type { RunTransaction } from '../storage/transaction.js';
import type { Failures } from './failures.js';
import type { Attempt, LockOut } from './lock-out.js';
import type { LogInBody } from './schema.js';

/** Throws 401 for wrong credentials or a missing second factor, and 429 after too many failures. */
export type LogIn = (body: LogInBody, client: Client) => Promise<{ actor: Actor; cookies: string[] }>;

interface LogInNeeds {
  users: UsersStore;
  passwords: Passwords;
  lockOut: LockOut;
  secondFactors: SecondFactorCheck;
  signIn: SignIn;
  failures: Failures;
  runTransaction: RunTransaction;
}

/**
 * Returns the log-in with a password. Whether an account has the address shows neither in the answer nor in its time:
 * both take the same reads, the same hash and the same writes.
 */
export function createLogIn(needs: LogInNeeds): LogIn {
  const { users, passwords, lockOut, failures } = needs;
  return async ({ email: typed, password, ...given }, client) => {
    const email = canonicalEmail(typed);
    const attempt = await lockOut.begin({ email, ip: client.ip });
    const user = await users.findByEmail(email);
    const isRight = await passwords.verify(user?.password_hash ?? null, password);
    const failed = async (reason: 'password' | 'second_factor') => {
      failures.record({ user, email, client, method: 'password', reason });
      await attempt.failed();
      return wrong(reason);
    };
    if (user === null || !isRight) throw await failed('password');
    await attempt.requireOpen();
    const signedIn = await withFactors(needs, { user, given, client, attempt });
    if (signedIn === null) throw await failed('second_factor');
    await attempt.succeeded();
    return signedIn;
  };
}

/** Signs the person in, with their second factor if they have one. Resolves to null when it is wrong. */
async function withFactors(
  { secondFactors, signIn, runTransaction }: LogInNeeds,
  input: { user: UserDocument; given: GivenFactors; client: Client; attempt: Attempt },
): Promise<{ actor: Actor; cookies: string[] } | null> {
  const { user, given, client, attempt } = input;
  const has = await secondFactors.factorsOf(user);
  const secondFactor = has.length > 0;
  return runTransaction(async (tx) => {
    const result = secondFactor ? await secondFactors.verify(tx, user, given) : 'right';
    if (result === 'wrong') return null;
    if (result === 'missing') {
      throw new AppError('second_factor_required', 'Send a second factor too.', { second_factors: has });
    }
    if (secondFactor) await attempt.requireOpen();
    return signIn(tx, { user, client, method: 'password', secondFactor });
  });
}

function wrong(reason: 'password' | 'second_factor'): AppError {
  const detail = reason === 'password' ? 'The e-mail address or the password is wrong.' : 'The second factor is wrong.';
  return new AppError('unauthenticated', detail);
}
