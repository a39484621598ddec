import { createHash } from 'node:crypto';
import type { Random } from '../../../kernel/random.js';

/** 256 bits. */
const TOKEN_BYTES = 32;

/** What a token looks like, so that others cost no query. */
export const TOKEN_PATTERN = '^[A-Za-z0-9_-]{43}$';

export function newFeedToken(random: Random): string {
  return random.bytes(TOKEN_BYTES).toString('base64url');
}

/** Returns the hash that is stored of a token. With 256 random bits no slow hash is needed. */
export function feedTokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
