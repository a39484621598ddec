import type { Logger } from '../../kernel/logger.js';
import type { UserDocument } from '../accounts/documents.js';
import type { Passwords } from '../accounts/passwords/password.js';
import type { UsersStore } from '../accounts/users-store.js';
import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import type { Client } from '../http/client/client.js';
import { canonicalEmail } from '../http/input/email-address.js';
import type { IsKnownDevice } from '../sessions/is-known-device.js';
import type { GivenFactors, SecondFactorCheck } from '../sessions/second-factor-check.js';
import type { SignIn } from '../sessions/sign-in.js';
import type { RunTransaction } from '../storage/transaction.js';
import type { Failures } from './failures.js';
import type { Attempt, LockOut } from './lock-out.js';
import type { LogInBody } from './schema.js';
import type { LogInWork, WithLogIn } from './with-log-in.js';

/** Throws 401 for wrong credentials or a missing second factor, and 429 after too many failures. */
export type LogIn = (body: LogInBody, client: Client) => Promise<{ actor: Actor; cookies: string[] }>;

interface LogInNeeds {
  users: UsersStore;
  passwords: Passwords;
  isKnownDevice: IsKnownDevice;
  lockOut: LockOut;
  secondFactors: SecondFactorCheck;
  failures: Failures;
  runTransaction: RunTransaction;
  logger: Logger;
}

export function createLogIn({ withLogIn, signIn }: { withLogIn: WithLogIn; signIn: SignIn }): LogIn {
  return (body, client) =>
    withLogIn(body, client, (tx, { user, secondFactor }) =>
      signIn(tx, { user, client, method: 'password', secondFactor }),
    );
}

/**
 * Returns the check of a log-in with a password. Whether an account has the address shows neither in the answer nor in
 * its time: both take the same reads, the same hash and the same writes.
 */
export function createWithLogIn(needs: LogInNeeds): WithLogIn {
  const { users, passwords, isKnownDevice, lockOut, failures } = needs;
  return async ({ email: typed, password, ...given }, client, work) => {
    const email = canonicalEmail(typed);
    const user = await users.findByEmail(email);
    const guesser = { email, ip: client.ip, isKnown: await isKnownDevice(user?._id ?? null, client) };
    const attempt = await lockOut.begin(guesser);
    const isRight = await passwords.verify(user?.password_hash ?? null, password, guesser);
    const failed = async (reason: 'password' | 'second_factor') => {
      failures.record({ user, email, client, method: 'password', reason });
      await attempt.failed();
      return wrong(reason);
    };
    if (user === null || !isRight) throw await failed('password');
    await attempt.requireOpen();
    const done = await withFactors(needs, { user, given, client, attempt }, work);
    if (done === null) throw await failed('second_factor');
    await attempt.succeeded();
    await renewHash(needs, user, password);
    return done.result;
  };
}

/** Replaces a hash of an earlier version. The person is logged in, so a failure must not become theirs. */
async function renewHash(
  { users, passwords, logger }: LogInNeeds,
  user: UserDocument,
  password: string,
): Promise<void> {
  const { _id, password_hash: before } = user;
  if (before === null || !passwords.isOutdated(before)) return;
  try {
    await users.replaceHash(_id, before, await passwords.hash(password));
  } catch (err) {
    logger.warn({ err }, 'replacing the hash of a password failed, retrying at the next log-in');
  }
}

/** Runs `work` if the person has no second factor or proved it. Resolves to null when it is wrong. */
async function withFactors<T>(
  { secondFactors, runTransaction }: LogInNeeds,
  { user, given, client, attempt }: { user: UserDocument; given: GivenFactors; client: Client; attempt: Attempt },
  work: LogInWork<T>,
): Promise<{ result: T } | null> {
  const has = await secondFactors.factorsOf(user);
  const secondFactor = has.length > 0;
  return runTransaction(async (tx) => {
    const result = secondFactor ? await secondFactors.verify(tx, user, given, client) : 'right';
    if (result === 'wrong') return null;
    if (result === 'missing') {
      const detail = `Send a second factor too: ${has.join(' or ')}.`;
      throw new AppError('second_factor_required', detail, { second_factors: has });
    }
    if (secondFactor) await attempt.requireOpen();
    return { result: await work(tx, { user, secondFactor }) };
  });
}

function wrong(reason: 'password' | 'second_factor'): AppError {
  const detail = reason === 'password' ? 'The e-mail address or the password is wrong.' : 'The second factor is wrong.';
  return new AppError('unauthenticated', detail);
}
