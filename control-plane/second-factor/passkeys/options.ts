import type { PasskeyDocument } from '../documents.js';
import { CHALLENGE_MS } from './challenge.js';
import type { RelyingParty } from './relying-party.js';
import type { RegistrationOptions, SignInOptions } from './schema.js';

const NAME = 'Picket';
/** ES256, EdDSA and RS256 by their COSE numbers: every authenticator has one of them. */
export const PASSKEY_ALGORITHMS: readonly number[] = [-7, -8, -257];

/**
 * Returns what a browser needs to make a passkey. A resident key is required, because without one a person could not
 * log in before saying who they are.
 */
export function registrationOptions(
  party: RelyingParty,
  user: { id: string; email: string },
  passkeys: readonly PasskeyDocument[],
  challenge: string,
): RegistrationOptions {
  return {
    rp: { id: party.id, name: NAME },
    user: { id: userHandle(user.id), name: user.email, displayName: user.email },
    challenge,
    pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CHALLENGE_MS,
    attestation: 'none',
    excludeCredentials: passkeys.map(({ credential_id, transports }) => ({
      id: credential_id,
      type: 'public-key',
      transports,
    })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'preferred' },
  };
}

/**
 * Returns what a browser needs to log in with a passkey. It names no passkeys: the answer would show which e-mail
 * addresses have an account.
 */
export function signInOptions(
  party: RelyingParty,
  challenge: string,
  userVerification: SignInOptions['userVerification'],
): SignInOptions {
  return { challenge, rpId: party.id, timeout: CHALLENGE_MS, userVerification };
}

/** Returns the user handle of WebAuthn: the authenticator stores it, and gives it back when the person logs in. */
export function userHandle(userId: string): string {
  return Buffer.from(userId, 'utf8').toString('base64url');
}
