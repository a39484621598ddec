import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { PASSKEY_ALGORITHMS } from './options.js';
import type { RelyingParty } from './relying-party.js';
import type { RegistrationCredential } from './schema.js';

/** What is stored of a new passkey. */
export interface NewPasskey {
  credentialId: string;
  publicKey: Uint8Array;
  counter: number;
  backedUp: boolean;
}

/**
 * Resolves to null unless an authenticator made this passkey for this relying party and challenge
 * (https://www.w3.org/TR/webauthn-3/#sctn-registering-a-new-credential).
 */
export async function verifyRegistration(
  credential: RegistrationCredential,
  expected: { party: RelyingParty; challenge: string },
): Promise<NewPasskey | null> {
  // Loaded with the first passkey: it takes 20 MB.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  try {
    if (!(await hasPlainAttestation(credential))) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: responseOf(credential),
      expectedChallenge: expected.challenge,
      expectedOrigin: expected.party.origin,
      expectedRPID: expected.party.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
    });
    // The id beside the attested one is not signed.
    if (!verified || registrationInfo.credential.id !== credential.id) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    return { credentialId: id, publicKey, counter, backedUp: registrationInfo.credentialBackedUp };
  } catch {
    // The library throws for everything that is wrong with the input, also from inside its decoders.
    return null;
  }
}

/**
 * Picket asks for no attestation. Then a browser sends none, or one that the key has signed itself. Other formats
 * contain certificates, and the library downloads revocation lists from addresses in them.
 */
async function hasPlainAttestation({ response }: RegistrationCredential): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers');
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}

function responseOf({ id, rawId, type, response }: RegistrationCredential): RegistrationResponseJSON {
  const { clientDataJSON, attestationObject } = response;
  return { id, rawId, type, clientExtensionResults: {}, response: { clientDataJSON, attestationObject } };
}
