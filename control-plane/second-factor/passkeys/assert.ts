import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Transaction } from '../../storage/transaction.js';
import type { PasskeyDocument } from '../documents.js';
import type { Challenges } from './challenge.js';
import type { RelyingParty } from './relying-party.js';
import type { AssertionCredential } from './schema.js';
import type { PasskeysStore } from './store.js';
import type { UsedChallengesStore } from './used-challenges-store.js';
import { claimedChallenge, verifyAssertion } from './verify-assertion.js';

/** How an answer of an authenticator ended. `passkey` is set as soon as the passkey is known. */
export interface Assertion {
  right: boolean;
  passkey: PasskeyDocument | null;
}

/**
 * Checks the answer of an authenticator and marks its challenge as used. With `userId` only passkeys of this person
 * count; null is for a person who logs in with a passkey instead of the password. Then the authenticator must also have
 * checked a PIN, a fingerprint or the like.
 */
export type AssertPasskey = (
  tx: Transaction,
  credential: AssertionCredential,
  userId: string | null,
) => Promise<Assertion>;

export function createAssertPasskey(needs: {
  passkeys: PasskeysStore;
  challenges: Challenges;
  usedChallenges: UsedChallengesStore;
  party: RelyingParty | null;
  clock: Clock;
  logger: Logger;
}): AssertPasskey {
  const { passkeys, challenges, usedChallenges, party, clock, logger } = needs;
  return async (tx, credential, userId) => {
    const challenge = claimedChallenge(credential.response.clientDataJSON);
    const expiresAtMs = challenge === null ? null : challenges.expiryOf(challenge, 'sign-in');
    if (party === null || challenge === null || expiresAtMs === null) return { right: false, passkey: null };
    const passkey = await passkeys.findByCredential(tx, credential.id);
    if (passkey === null || (userId !== null && passkey.user_id !== userId)) return { right: false, passkey: null };
    const counter = await verifyAssertion(credential, passkey, { party, challenge, passwordless: userId === null });
    if (counter === null) {
      logger.warn({ passkey: passkey._id, user: passkey.user_id }, 'refused an answer of a passkey');
      return { right: false, passkey };
    }
    if (!(await usedChallenges.use(tx, challenge, expiresAtMs))) return { right: false, passkey };
    return { right: await passkeys.used(tx, passkey, { counter, atMs: clock.now() }), passkey };
  };
}
