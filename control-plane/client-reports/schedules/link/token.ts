import { createHash } from 'node:crypto';
import type { Random } from '../../../../kernel/random.js';

const TOKEN_BYTES = 32;
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** The public download of a report, and its field of the query. The token is not in the path, because logs have that. */
export const SHARED_REPORT_PATH = '/shared-report';
export const TOKEN_PARAMETER = 't';

export function makeLinkToken(random: Random): string {
  return random.bytes(TOKEN_BYTES).toString('base64url');
}

/** Returns the hash that is stored of a token; null for a text that is no token. With 256 random bits no slow hash is needed. */
export function linkTokenHash(token: string): string | null {
  return TOKEN_PATTERN.test(token) ? createHash('sha256').update(token).digest('hex') : null;
}
