import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Random } from '../../../kernel/random.js';

const PREFIX = 'pk_live_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_CHARS = 32;
const CHECK_CHARS = 6;
const KEY_PATTERN = /^pk_live_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;
/**
 * The largest multiple of 62 in a byte. Larger bytes are skipped, because they would make some characters more likely.
 */
const UNBIASED_BYTES = 248;

/** Returns a new key: `pk_live_`, 32 random base-62 characters, and 6 characters of their CRC-32. */
export function makeApiKey(random: Random): string {
  const secret = randomBase62(random, SECRET_CHARS);
  return `${PREFIX}${secret}${checksum(secret)}`;
}

/** Returns whether the text has the format of a key. It detects a mistyped key without a query. */
export function isApiKey(text: string): boolean {
  const match = KEY_PATTERN.exec(text);
  return match !== null && checksum(match[1] ?? '') === match[2];
}

/** Returns the hash that is stored of a key. With 190 random bits no slow hash is needed. */
export function apiKeyHash(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Returns random base-62 characters, each equally likely. */
export function randomBase62(random: Random, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random.bytes(length)) {
      if (byte < UNBIASED_BYTES && text.length < length) text += BASE62[byte % BASE62.length];
    }
  }
  return text;
}

/**
 * Returns the CRC-32 of the 32 random characters, most significant digit first. With it, secret scanners recognize a
 * key.
 */
function checksum(secret: string): string {
  let rest = crc32(secret);
  let text = '';
  for (let index = 0; index < CHECK_CHARS; index++) {
    text = BASE62[rest % BASE62.length] + text;
    rest = Math.floor(rest / BASE62.length);
  }
  return text;
}
