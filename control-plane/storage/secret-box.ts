import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import type { Random } from '../../kernel/random.js';

/**
 * What a sealed text is for, and of which object. A sealed text opens only for the same, so that someone who can write
 * to the database cannot copy the secret of one object to another one whose target they control.
 */
export interface SealedFor {
  /** One name for each kind of secret: `channel`, `forwarder`. */
  purpose: string;
  /** Of the object whose document contains the sealed text. */
  id: string;
}

/**
 * Encrypts secrets for storage. Sealing the same text twice gives different results, so the database does not show
 * which secrets are equal.
 */
export interface SecretBox {
  seal(text: string, sealedFor: SealedFor): string;
  /**
   * Throws `SealBroken` when the text was sealed with another key or for something else, truncated or changed. A text of
   * version 1, from before texts were sealed for something, opens for anything.
   */
  open(sealed: string, sealedFor: SealedFor): string;
  /**
   * Returns the same 64 hexadecimal characters for the same text and purpose. Without the key, nobody can find out by
   * guessing which text they are of, as they could with a plain hash.
   */
  fingerprint(text: string, purpose: string): string;
}

/** The format of a sealed text, `v2.<nonce>.<ciphertext and tag>`. A later format gets another version. */
const VERSION = 'v2';
const UNBOUND_VERSION = 'v1';
const CIPHER = 'aes-256-gcm';
export const SECRET_KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FINGERPRINT_KEY_BYTES = 32;

/** The text cannot be opened with this key. The error contains no part of the text. */
export class SealBroken extends Error {
  constructor(reason: string, cause?: unknown) {
    super(`opening a stored secret failed: ${reason}`, { cause });
    this.name = 'SealBroken';
  }
}

/**
 * Returns a box that uses AES-256-GCM with a random nonce. The version, purpose and id are authenticated too.
 * Fingerprints are HMAC-SHA-256 with keys that are derived with HKDF (RFC 5869), one for each purpose.
 */
export function createSecretBox(key: Buffer, random: Random): SecretBox {
  if (key.length !== SECRET_KEY_BYTES) throw new RangeError(`the secret key must be ${SECRET_KEY_BYTES} bytes`);
  return {
    seal(text, sealedFor) {
      const nonce = random.bytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce);
      cipher.setAAD(authenticated(VERSION, sealedFor));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${VERSION}.${nonce.toString('base64url')}.${body.toString('base64url')}`;
    },
    open(sealed, sealedFor) {
      const [version, nonceText, bodyText, ...rest] = sealed.split('.');
      const known = version === VERSION || version === UNBOUND_VERSION;
      if (!known || nonceText === undefined || bodyText === undefined || rest.length > 0) {
        throw new SealBroken('it has an unknown format');
      }
      const nonce = Buffer.from(nonceText, 'base64url');
      const body = Buffer.from(bodyText, 'base64url');
      if (nonce.length !== NONCE_BYTES || body.length < TAG_BYTES) throw new SealBroken('it is truncated');
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(authenticated(version, sealedFor));
      decipher.setAuthTag(body.subarray(body.length - TAG_BYTES));
      const text = decipher.update(body.subarray(0, body.length - TAG_BYTES));
      try {
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new SealBroken('it was sealed with another key or for another object, or changed', cause);
      }
    },
    fingerprint(text, purpose) {
      const derived = hkdfSync('sha256', key, '', `picket fingerprint ${purpose}`, FINGERPRINT_KEY_BYTES);
      return createHmac('sha256', Buffer.from(derived)).update(text).digest('hex');
    },
  };
}

function authenticated(version: string, { purpose, id }: SealedFor): Buffer {
  return Buffer.from(version === UNBOUND_VERSION ? version : JSON.stringify([version, purpose, id]));
}
