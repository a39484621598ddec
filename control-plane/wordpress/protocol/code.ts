import { createHash } from 'node:crypto';
import type { Random } from '../../../kernel/random.js';

/** Crockford's base 32: no letters that look like digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_CHARS = 20;
const GROUP_CHARS = 5;

export const CODE_VALID_MS = 30 * 60_000;

/** Returns a new activation code with 100 random bits: `7K2QF-…`. */
export function newCode(random: Random): string {
  const chars = [...random.bytes(CODE_CHARS)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return (chars.match(new RegExp(`.{${GROUP_CHARS}}`, 'g')) ?? []).join('-');
}

/** Returns the hash under which a code is stored, whatever its case, spaces and dashes; null if it is no code. */
export function codeHash(text: string): string | null {
  const chars = text.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  if (chars.length !== CODE_CHARS || [...chars].some((char) => !ALPHABET.includes(char))) return null;
  return createHash('sha256').update(chars).digest('hex');
}
