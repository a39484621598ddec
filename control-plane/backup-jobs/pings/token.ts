import { createHash } from 'node:crypto';
import type { Random } from '../../../kernel/random.js';

/** Where pings are received. */
export const PING_PATH = '/ping';

const TOKEN_BYTES = 24;
/** The base64url of that many bytes. Nothing else is looked up. */
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{32}$/;
const END_CHARS = 4;

export interface NewToken {
  token: string;
  token_hash: string;
  token_end: string;
}

/** Returns the token of a new ping URL, and what is stored of it. */
export function newToken(random: Random): NewToken {
  const token = random.bytes(TOKEN_BYTES).toString('base64url');
  return { token, token_hash: sha256(token), token_end: token.slice(-END_CHARS) };
}

/** Returns the hash under which a token is stored; null for what is no token. */
export function tokenHash(token: string): string | null {
  return TOKEN_PATTERN.test(token) ? sha256(token) : null;
}

/** `publicUrl` is without a slash at the end. */
export function pingUrl(publicUrl: string, token: string): string {
  return `${publicUrl}${PING_PATH}/${token}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
