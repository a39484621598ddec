import { createHash } from 'node:crypto';
import { canonicalJson } from '../../storage/canonical-json.js';
import type { AuditEntry } from '../schema.js';

/** The `previous_hash` of the first entry. */
export const CHAIN_START = '0'.repeat(64);

/**
 * Returns the hash of an entry at its place in the chain: SHA-256 of the previous entry's hash, a line feed, and the
 * entry without its two hashes as RFC 8785 JSON. Anyone who has an export can compute it.
 */
export function chainHash(previousHash: string, entry: AuditEntry): string {
  const { hash: _hash, previous_hash: _previousHash, ...content } = entry;
  return createHash('sha256')
    .update(`${previousHash}\n${canonicalJson(content)}`)
    .digest('hex');
}
