import { createHash } from 'node:crypto';
import type { Random } from '../../../kernel/random.js';

/** 256 bits, of nodes' credentials and join tokens' secrets alike: guessing is no threat, so neither needs a limiter. */
const SECRET_BYTES = 32;
const CREDENTIAL_PREFIX = 'pn_';
const JOIN_TOKEN_PREFIX = 'pjt_';
const CREDENTIAL = /^pn_[A-Za-z0-9_-]{43}$/;
const BEARER = /^Bearer (\S{1,200})$/;

export function newCredential(random: Random): string {
  return CREDENTIAL_PREFIX + random.bytes(SECRET_BYTES).toString('base64url');
}

export function newJoinSecret(random: Random): string {
  return random.bytes(SECRET_BYTES).toString('base64url');
}

/** What the database holds of a secret. A fast hash is enough: nobody can try all values of 256 bits. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** What an operator hands to a node: enough to find the control plane, to recognise it, and to be let in once. */
export function joinTokenText(token: { secret: string; fingerprint: string; address: string }): string {
  const fields = { v: 1, s: token.secret, f: token.fingerprint, a: token.address };
  return JOIN_TOKEN_PREFIX + Buffer.from(JSON.stringify(fields)).toString('base64url');
}

/** The credential in an `authorization` value; null for anything that cannot be one of ours. */
export function credentialIn(authorization: string | undefined): string | null {
  const credential = BEARER.exec(authorization ?? '')?.[1];
  return credential !== undefined && CREDENTIAL.test(credential) ? credential : null;
}
