import { isIP } from 'node:net';
import { AppError } from '../../errors.js';

/** Who a passkey is for. Browsers and authenticators bind each passkey to it. */
export interface RelyingParty {
  /** The host name of the public URL, as WebAuthn's RP ID. */
  id: string;
  /** The origin of the public URL; pages of any other origin cannot use the passkeys. */
  origin: string;
}

/**
 * Returns the relying party of an installation; null when browsers offer no passkeys there: they need https or
 * `localhost`, and a host name instead of an IP address (https://www.w3.org/TR/webauthn-3/#rp-id). It comes from
 * `PICKET_PUBLIC_URL` alone, because a client can send any `Host` and `Origin`.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (protocol !== 'https:' && !isLocal) return null;
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) return null;
  return { id: hostname, origin };
}

/** Throws 409 where browsers offer no passkeys. */
export function requireRelyingParty(party: RelyingParty | null): RelyingParty {
  if (party !== null) return party;
  const needed = 'an https URL with a host name, or http://localhost';
  throw new AppError(
    'conflict',
    `Passkeys are not available here: the public URL of this installation must be ${needed}.`,
  );
}
