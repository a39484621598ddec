import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from '../../kernel/random.js';

/**
 * Encrypts secrets for storage. Sealing the same text twice gives different results, so the database does not show
 * which secrets are equal.
 */
export interface SecretBox {
  seal(text: string): string;
  /** Throws `SealBroken` when the text was sealed with another key, truncated or changed. */
  open(sealed: string): string;
}

/** The format of a sealed text, `v1.<nonce>.<ciphertext and tag>`. A later format gets another version. */
const VERSION = 'v1';
const CIPHER = 'aes-256-gcm';
export const SECRET_KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The text cannot be opened with this key. The error contains no part of the text. */
export class SealBroken extends Error {
  constructor(reason: string, cause?: unknown) {
    super(`opening a stored secret failed: ${reason}`, { cause });
    this.name = 'SealBroken';
  }
}

/** Returns a box that uses AES-256-GCM with a random nonce for each text. The version is authenticated too. */
export function createSecretBox(key: Buffer, random: Random): SecretBox {
  if (key.length !== SECRET_KEY_BYTES) throw new RangeError(`the secret key must be ${SECRET_KEY_BYTES} bytes`);
  return {
    seal(text) {
      const nonce = random.bytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce);
      cipher.setAAD(Buffer.from(VERSION));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${VERSION}.${nonce.toString('base64url')}.${body.toString('base64url')}`;
    },
    open(sealed) {
      const [version, nonceText, bodyText, ...rest] = sealed.split('.');
      if (version !== VERSION || nonceText === undefined || bodyText === undefined || rest.length > 0) {
        throw new SealBroken('it has an unknown format');
      }
      const nonce = Buffer.from(nonceText, 'base64url');
      const body = Buffer.from(bodyText, 'base64url');
      if (nonce.length !== NONCE_BYTES || body.length < TAG_BYTES) throw new SealBroken('it is truncated');
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(VERSION));
      decipher.setAuthTag(body.subarray(body.length - TAG_BYTES));
      const text = decipher.update(body.subarray(0, body.length - TAG_BYTES));
      try {
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new SealBroken('it was sealed with another key, or changed', cause);
      }
    },
  };
}
