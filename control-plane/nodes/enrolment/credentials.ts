import { createHash } from 'node:crypto';
import type { Random } from '../../../kernel/random.js';
import { JOIN_TOKEN_PREFIX, JOIN_TOKEN_VERSION } from '../../../proto/handshake.js';

/** 256 bits for credentials and join token secrets. They cannot be guessed, so neither needs a rate limit. */
const SECRET_BYTES = 32;
const CREDENTIAL_PREFIX = 'pn_';
const CREDENTIAL = /^pn_[A-Za-z0-9_-]{43}$/;
const BEARER = /^Bearer (\S{1,200})$/;

export function newCredential(random: Random): string {
  return CREDENTIAL_PREFIX + random.bytes(SECRET_BYTES).toString('base64url');
}

export function newJoinSecret(random: Random): string {
  return random.bytes(SECRET_BYTES).toString('base64url');
}

/** Returns the hash that is stored of a secret. With 256 random bits a fast hash is enough. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/**
 * Returns a join token for a node. It contains the address and the fingerprint of the control plane, and a secret for
 * one use.
 */
export function joinTokenText(token: { secret: string; fingerprint: string; address: string }): string {
  const fields = { v: JOIN_TOKEN_VERSION, s: token.secret, f: token.fingerprint, a: token.address };
  return JOIN_TOKEN_PREFIX + Buffer.from(JSON.stringify(fields)).toString('base64url');
}

/** Returns the credential in an `authorization` value; null if it does not have the format of one. */
export function credentialIn(authorization: string | undefined): string | null {
  const credential = BEARER.exec(authorization ?? '')?.[1];
  return credential !== undefined && CREDENTIAL.test(credential) ? credential : null;
}
