import { Secret, TOTP } from 'otpauth';

/** RFC 6238 with the parameters that every authenticator app supports. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const PERIOD_MS = PARAMETERS.period * 1_000;
const ISSUER = 'Picket';
/** 160 bits, the length that RFC 4226 recommends. */
export const TOTP_SECRET_BYTES = 20;
/** Steps before and after the current one whose code is accepted, for clocks that differ (RFC 6238, section 5.2). */
const WINDOW_STEPS = 1;

/** Six digits. */
export const TOTP_PATTERN = '^[0-9]{6}$';
const CODE = new RegExp(TOTP_PATTERN);

/** Returns the secret as people type it into an app: base 32 without padding. */
export function totpSecretText(bytes: Uint8Array): string {
  return secretOf(bytes).base32;
}

/** Returns the number of the time step whose code this is; null when it is the code of no step in the window. */
export function matchingStep(secretText: string, code: string, nowMs: number): number | null {
  if (!CODE.test(code)) return null;
  const secret = Secret.fromBase32(secretText);
  const delta = TOTP.validate({ ...PARAMETERS, secret, token: code, timestamp: nowMs, window: WINDOW_STEPS });
  return delta === null ? null : stepOf(nowMs) + delta;
}

function stepOf(nowMs: number): number {
  return Math.floor(nowMs / PERIOD_MS);
}

/**
 * Returns the URL that authenticator apps read from a QR code. There is no standard; all apps follow
 * https://github.com/google/google-authenticator/wiki/Key-Uri-Format
 */
export function otpauthUrl(secretText: string, email: string): string {
  return new TOTP({ ...PARAMETERS, issuer: ISSUER, label: email, secret: secretText }).toString();
}

function secretOf(bytes: Uint8Array): Secret {
  // A copy, because a Buffer can be a part of a larger memory area.
  return new Secret({ buffer: Uint8Array.from(bytes).buffer });
}
