import type { Vulnerability } from '../documents.js';
import { fieldsOf } from './fields.js';
import { readWordfence } from './wordfence.js';
import { readWpvulnerability } from './wpvulnerability.js';

/** The fields beside `data` of an answer of WPVulnerability, at the beginning of a file. */
const ENVELOPE: ReadonlySet<unknown> = new Set(['error', 'message', 'updated']);

/**
 * Returns what one value of a feed says of plugins, in whichever format; `key` is its name or its index in the feed. null: it
 * cannot be read. `ignored`: it is no record.
 */
export function readRecord(key: string | number | undefined, value: unknown): Vulnerability[] | 'ignored' | null {
  const fields = fieldsOf(value);
  if (fields === null) return ENVELOPE.has(key) ? 'ignored' : null;
  if ('software' in fields) return readWordfence(String(key), fields);
  if ('vulnerability' in fields) return readWpvulnerability(null, fields);
  const data = fieldsOf(fields['data']);
  if (data === null || !('vulnerability' in data)) return null;
  return readWpvulnerability(typeof key === 'string' ? key : null, data);
}
