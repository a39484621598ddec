import { createHash } from 'node:crypto';
import type { Random } from '../../../kernel/random.js';

const TOKEN_BYTES = 32;

/** The characters of a token: 32 bytes as base64url without padding. */
export const TOKEN_PATTERN = '^[A-Za-z0-9_-]{43}$';

export function makeInvitationToken(random: Random): string {
  return random.bytes(TOKEN_BYTES).toString('base64url');
}

/** Returns the hash that is stored of a token. With 256 random bits no slow hash is needed. */
export function invitationTokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
