import type { Random } from '../../../kernel/random.js';
import type { SecretBox } from '../../storage/secret-box.js';
import type { RecoveryCodesDocument } from '../documents.js';

/** Codes in one set. */
export const RECOVERY_CODES = 10;
/** 60 bits. */
const CODE_CHARS = 12;
const GROUP_CHARS = 4;
const SALT_BYTES = 16;
const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const CODE = new RegExp(`^[${CROCKFORD}]{${CODE_CHARS}}$`);
/** Longer than a code with any usual separators. */
export const RECOVERY_CODE_CHARS_MAX = 40;

/** For the documentation. */
export const RECOVERY_CODE_EXAMPLES: readonly string[] = Array.from(
  { length: RECOVERY_CODES },
  (_, index) => `4gh0-tx7m-9k2${index}`,
);

type Fingerprint = Pick<SecretBox, 'fingerprint'>;

/** Returns ten new codes such as `4gh0-tx7m-9k2p`, and what is stored of them. */
export function makeRecoveryCodes(
  box: Fingerprint,
  random: Random,
): { codes: string[]; stored: RecoveryCodesDocument } {
  const salt = random.bytes(SALT_BYTES).toString('base64url');
  const codes = Array.from({ length: RECOVERY_CODES }, () => makeCode(random));
  return { codes: codes.map(grouped), stored: { salt, hashes: codes.map((code) => hashOf(box, salt, code)) } };
}

/**
 * Returns the stored hash of what a person typed: in upper or lower case, with any separators, and with letters for the
 * digits that they look like. null when it cannot be a code.
 */
export function recoveryCodeHash(box: Fingerprint, salt: string, typed: string): string | null {
  if (typed.length > RECOVERY_CODE_CHARS_MAX) return null;
  const code = typed.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');
  return CODE.test(code) ? hashOf(box, salt, code) : null;
}

/** 256 is a multiple of 32, so each character is equally likely. */
function makeCode(random: Random): string {
  return Array.from(random.bytes(CODE_CHARS), (byte) => CROCKFORD[byte % CROCKFORD.length]).join('');
}

function grouped(code: string): string {
  return code.match(new RegExp(`.{${GROUP_CHARS}}`, 'g'))?.join('-') ?? code;
}

/**
 * A keyed hash: without the key of the installation, a copy of the database does not help to guess the 60 bits of a
 * code.
 */
function hashOf(box: Fingerprint, salt: string, code: string): string {
  return box.fingerprint(`${salt}/${code}`, 'recovery_code');
}
