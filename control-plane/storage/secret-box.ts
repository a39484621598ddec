import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from '../../kernel/random.js';

/** Seals secrets for storage. What is sealed twice differs, so equal secrets cannot be told from the database. */
export interface SecretBox {
  seal(text: string): string;
  /** Throws `SealBroken` when the text was sealed under another key, cut, or changed. */
  open(sealed: string): string;
}

/** Names the form of a sealed text, so that a later form can stand beside it: `v1.<nonce>.<cipher text and tag>`. */
const VERSION = 'v1';
const CIPHER = 'aes-256-gcm';
export const SECRET_KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The text cannot be opened with this key. Carries nothing of the text. */
export class SealBroken extends Error {
  constructor(why: string, cause?: unknown) {
    super(`a stored secret cannot be opened: ${why}`, { cause });
    this.name = 'SealBroken';
  }
}

/** AES-256-GCM with a random nonce for each text; the version is authenticated with it. */
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
        throw new SealBroken('unknown form');
      }
      const nonce = Buffer.from(nonceText, 'base64url');
      const body = Buffer.from(bodyText, 'base64url');
      if (nonce.length !== NONCE_BYTES || body.length < TAG_BYTES) throw new SealBroken('cut off');
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(VERSION));
      decipher.setAuthTag(body.subarray(body.length - TAG_BYTES));
      const text = decipher.update(body.subarray(0, body.length - TAG_BYTES));
      try {
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new SealBroken('sealed under another key, or changed', cause);
      }
    },
  };
}
