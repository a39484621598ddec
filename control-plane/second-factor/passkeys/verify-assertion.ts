import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { PasskeyDocument } from '../documents.js';
import { userHandle } from './options.js';
import type { RelyingParty } from './relying-party.js';
import type { AssertionCredential } from './schema.js';

/**
 * Resolves to the new signature counter; null unless this passkey signed this challenge for this relying party
 * (https://www.w3.org/TR/webauthn-3/#sctn-verifying-assertion). A counter that did not grow is refused: then there is
 * a copy of the key, and one of the two is not the person's. `passwordless`: the passkey is the only proof, so the
 * authenticator must also have checked a PIN, a fingerprint or the like.
 */
export async function verifyAssertion(
  credential: AssertionCredential,
  passkey: PasskeyDocument,
  expected: { party: RelyingParty; challenge: string; passwordless: boolean },
): Promise<number | null> {
  if (!isHandleOf(passkey.user_id, credential.response.userHandle ?? '', expected.passwordless)) return null;
  // Loaded with the first passkey: it takes 20 MB.
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: responseOf(credential),
      expectedChallenge: expected.challenge,
      expectedOrigin: expected.party.origin,
      expectedRPID: expected.party.id,
      credential: {
        id: passkey.credential_id,
        publicKey: Uint8Array.from(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.counter,
      },
      requireUserVerification: expected.passwordless,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    // The library throws for everything that is wrong with the input, also from inside its decoders.
    return null;
  }
}

/**
 * Returns the challenge that the answer claims to sign; null when the client data cannot be read. Whether Picket made
 * it, and whether it is signed, is checked later.
 */
export function claimedChallenge(clientDataJson: string): string | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8'));
    const challenge = Object(data)['challenge'];
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

/** Without a password the handle says who logs in. As a second factor, authenticators may leave it out. */
function isHandleOf(userId: string, handle: string, passwordless: boolean): boolean {
  return handle === '' ? !passwordless : handle === userHandle(userId);
}

function responseOf({ id, rawId, type, response }: AssertionCredential): AuthenticationResponseJSON {
  const { clientDataJSON, authenticatorData, signature } = response;
  return { id, rawId, type, clientExtensionResults: {}, response: { clientDataJSON, authenticatorData, signature } };
}
