import type { UsersStore } from '../../accounts/users-store.js';
import type { Actor } from '../../actor.js';
import { AppError } from '../../errors.js';
import type { Client } from '../../http/client/client.js';
import type { RecordFailedLogIn } from '../../sessions/failed-log-in.js';
import type { SignIn } from '../../sessions/sign-in.js';
import type { RunTransaction } from '../../storage/transaction.js';
import type { AssertPasskey } from './assert.js';
import type { AssertionCredential } from './schema.js';

/** Throws 401 when the passkey is unknown or its answer is wrong; the two cannot be told apart. */
export type PasskeyLogIn = (
  client: Client,
  credential: AssertionCredential,
) => Promise<{ actor: Actor; cookies: string[] }>;

/**
 * Returns the log-in with a passkey instead of the password. The authenticator has checked the person as well, so it
 * counts as two factors.
 */
export function createPasskeyLogIn(needs: {
  assertPasskey: AssertPasskey;
  users: UsersStore;
  signIn: SignIn;
  runTransaction: RunTransaction;
  recordFailure: RecordFailedLogIn;
}): PasskeyLogIn {
  const { assertPasskey, users, signIn, runTransaction, recordFailure } = needs;
  return async (client, credential) => {
    const signedIn = await runTransaction(async (tx) => {
      const { right, passkey } = await assertPasskey(tx, credential, null);
      const user = passkey === null ? null : await users.findIn(tx, passkey.user_id);
      if (user === null) return null;
      if (right) return signIn(tx, { user, client, method: 'passkey', secondFactor: true });
      await recordFailure(tx, { user, email: user.email, client, method: 'passkey', reason: 'passkey' });
      return null;
    });
    if (signedIn === null) throw new AppError('unauthenticated', 'The passkey is unknown, or its answer is not valid.');
    return signedIn;
  };
}
