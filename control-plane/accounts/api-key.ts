import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Random } from '../../kernel/random.js';

const PREFIX = 'pk_live_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_CHARS = 32;
const CHECK_CHARS = 6;
const KEY_PATTERN = /^pk_live_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;
/** The largest multiple of 62 that a byte holds: bytes above it would make some characters likelier. */
const UNBIASED_BYTES = 248;

/** A new key: `pk_live_`, 32 random base-62 characters, and 6 of their CRC-32. */
export function makeApiKey(random: Random): string {
  const secret = randomBase62(random, SECRET_CHARS);
  return `${PREFIX}${secret}${checksum(secret)}`;
}

/** Whether the text can be one of our keys at all. A mistyped one is found out here, without a look-up. */
export function isApiKey(text: string): boolean {
  const match = KEY_PATTERN.exec(text);
  return match !== null && checksum(match[1] ?? '') === match[2];
}

/** What is stored of a key. 190 random bits need no slow hash. */
export function apiKeyHash(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

export function randomBase62(random: Random, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random.bytes(length)) {
      if (byte < UNBIASED_BYTES && text.length < length) text += BASE62[byte % BASE62.length];
    }
  }
  return text;
}

/** CRC-32 of the 32 random characters, most significant digit first, so that a scanner can tell a key from noise. */
function checksum(secret: string): string {
  let rest = crc32(secret);
  let text = '';
  for (let index = 0; index < CHECK_CHARS; index++) {
    text = BASE62[rest % BASE62.length] + text;
    rest = Math.floor(rest / BASE62.length);
  }
  return text;
}
