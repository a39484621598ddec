import type { UserDocument } from '../accounts/documents.js';
import type { Passwords } from '../accounts/passwords/password.js';
import { userOfActor } from '../accounts/user-of-actor.js';
import type { UsersStore } from '../accounts/users-store.js';
import type { Actor } from '../actor.js';
import { AppError, invalidField, notFound } from '../errors.js';
import type { Client } from '../http/client/client.js';
import type { AttemptLimit } from '../second-factor/attempts/limit.js';
import type { SecondFactorCheck } from '../sessions/second-factor-check.js';
import type { Sessions } from '../sessions/sessions.js';
import type { RunTransaction } from '../storage/transaction.js';
import type { Failures } from './failures.js';
import type { Attempt, LockOut } from './lock-out.js';
import type { ConfirmBody } from './schema.js';

/** Throws 422 unless there is exactly one proof, 403 for a wrong one, and 429 after too many. */
export type Confirm = (actor: Actor, body: ConfirmBody, client: Client) => Promise<void>;

interface ConfirmNeeds {
  users: UsersStore;
  passwords: Passwords;
  lockOut: LockOut;
  secondFactors: SecondFactorCheck;
  /** Of the person, wherever they are: a stolen session must not guess on from one network after the other. */
  confirmations: AttemptLimit;
  sessions: Sessions;
  failures: Failures;
  runTransaction: RunTransaction;
}

interface Confirmation {
  user: UserDocument;
  sessionId: string;
  client: Client;
  attempt: Attempt;
}

/**
 * Returns the confirmation that whoever holds the session is still its person. Failures count like those of log-ins, so
 * that an open session cannot be used to guess.
 */
export function createConfirm(needs: ConfirmNeeds): Confirm {
  const { users, lockOut, confirmations, failures } = needs;
  return async (actor, body, client) => {
    const { session } = actor;
    if (Object.keys(body).length !== 1) {
      throw invalidField('', 'must contain one of password, totp, recovery_code and passkey');
    }
    if (session === null) throw notFound('account');
    const user = await userOfActor(users, actor);
    const attempt = await lockOut.begin({ email: user.email, ip: client.ip, isKnown: true });
    const { password, ...given } = body;
    const confirmation = { user, sessionId: session.id, client, attempt };
    const isRight = await confirmations.attempt(user._id, () =>
      password === undefined
        ? confirmByFactor(needs, confirmation, given)
        : confirmByPassword(needs, confirmation, password),
    );
    if (isRight) return attempt.succeeded();
    failures.record({ user, email: user.email, client, method: 'password', reason: 'confirmation' });
    await attempt.failed();
    throw new AppError('forbidden', `The ${password === undefined ? 'second factor' : 'password'} is wrong.`);
  };
}

async function confirmByPassword(
  { passwords, sessions, runTransaction }: ConfirmNeeds,
  { user, sessionId, client, attempt }: Confirmation,
  password: string,
): Promise<boolean> {
  if (!(await passwords.verify(user.password_hash, password, { email: user.email, ip: client.ip, isKnown: true })))
    return false;
  await attempt.requireOpen();
  await runTransaction((tx) => sessions.confirm(tx, sessionId));
  return true;
}

function confirmByFactor(
  { secondFactors, sessions, runTransaction }: ConfirmNeeds,
  { user, sessionId, client, attempt }: Confirmation,
  given: Omit<ConfirmBody, 'password'>,
): Promise<boolean> {
  return runTransaction(async (tx) => {
    if ((await secondFactors.verify(tx, user, given, client)) !== 'right') return false;
    await attempt.requireOpen();
    await sessions.confirm(tx, sessionId, { secondFactor: true });
    return true;
  });
}
