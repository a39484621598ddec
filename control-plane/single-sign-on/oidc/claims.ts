import { type EmailAddress, emailAddress } from '../sign-in/email-address.js';
import { SignInRefused } from '../sign-in/refusal.js';
import type { ProvenClaims } from './provider-client.js';

/** What Picket uses of the claims of a person. */
export interface Identity {
  issuer: string;
  subject: string;
  address: EmailAddress;
  /** `verified`: the provider says so. `unknown`: it does not say anything. */
  emailVerified: 'verified' | 'unknown';
  /** When the person proved who they are, in milliseconds since the epoch; null when the provider does not say. */
  authenticatedAtMs: number | null;
  /** All claims, for the role. Those of the ID token go before those of the userinfo endpoint. */
  claims: Readonly<Record<string, unknown>>;
}

const SUBJECT_CHARS_MAX = 255;

/**
 * Returns the identity in the claims. Throws SignInRefused without an e-mail address, and when any of the claims says
 * that the provider has not verified it. An address and `email_verified` are used from the same source only.
 */
export function identityOf({ issuer, subject, idToken, userInfo }: ProvenClaims): Identity {
  if (subject.length === 0 || subject.length > SUBJECT_CHARS_MAX) {
    throw new SignInRefused('invalid_response', 'the subject is empty or longer than 255 characters');
  }
  const source = idToken['email'] === undefined && userInfo !== null ? userInfo : idToken;
  const address = emailAddress(source['email']);
  if (address === null) throw new SignInRefused('email_missing', 'there is no usable e-mail address in the claims');
  const said = [idToken, userInfo ?? {}].map((claims) => claims['email_verified']);
  if (said.some(isFalse)) throw new SignInRefused('email_unverified', 'email_verified is false');
  const authTime = idToken['auth_time'];
  return {
    issuer,
    subject,
    address,
    emailVerified: isTrue(source['email_verified']) ? 'verified' : 'unknown',
    authenticatedAtMs: typeof authTime === 'number' && Number.isFinite(authTime) ? authTime * 1_000 : null,
    claims: { ...userInfo, ...idToken },
  };
}

/** Some providers send the words. Anything that is neither is no confirmation. */
function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}

function isFalse(value: unknown): boolean {
  return value !== undefined && value !== null && !isTrue(value);
}
