import type { Random } from '../../../kernel/random.js';

/** The public page that confirms reports. */
export const VERIFY_PATH = '/verify';

/** Crockford base 32: without letters that look like digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_CHARS = 16;
const GROUP = /.{4}(?=.)/g;
const VALID = new RegExp(`^[${ALPHABET}]{${CODE_CHARS}}$`);
/** What people type of a code, with spaces or dashes between the letters. */
export const TYPED_CHARS_MAX = 64;

/** Returns a new code of 80 random bits. */
export function newVerificationCode(random: Pick<Random, 'bytes'>): string {
  return [...random.bytes(CODE_CHARS)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
}

/** `7K2M-9XQ4-T0BD-51HW` */
export function groupedCode(code: string): string {
  return code.replace(GROUP, '$&-');
}

/** Returns the code that somebody typed, in either case and with the letters that are easily confused; null if it is none. */
export function typedCode(text: string): string | null {
  if (text.length > TYPED_CHARS_MAX) return null;
  const code = text.replaceAll(/[\s-]/g, '').toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return VALID.test(code) ? code : null;
}
