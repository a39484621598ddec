import { createHash } from 'node:crypto';
import { canonicalJson } from '../storage/canonical-json.js';

/** What a fingerprint is of: a monitor in one version. */
interface Versioned {
  _id: string;
  version: number;
}

const OPERATION_BYTES = 9;
const WHOLE_BYTES = 15;
const MONITOR_BYTES = 6;
const HEAD_BYTES = OPERATION_BYTES + WHOLE_BYTES;

/**
 * Returns the fingerprint of an operation on monitors, in base64url: hashes of the operation, of all monitors with their
 * versions, and of each, so that a later request can name what has changed without anything stored.
 */
export function fingerprintOf(operation: unknown, monitors: readonly Versioned[]): string {
  const each = monitors.map(hashOf);
  const parts = [operationHash(operation), digest(Buffer.concat(each), WHOLE_BYTES), ...each];
  return Buffer.concat(parts).toString('base64url');
}

/**
 * Compares a fingerprint with the present. Returns `other_request` for one of another operation. Otherwise the monitors
 * that are new in the selection or have another version, and how many are no longer in it as they were.
 */
export function compareFingerprint<Monitor extends Versioned>(
  fingerprint: string,
  operation: unknown,
  monitors: readonly Monitor[],
): 'same' | 'other_request' | { changed: Monitor[]; before: number } {
  if (fingerprint === fingerprintOf(operation, monitors)) return 'same';
  const bytes = Buffer.from(fingerprint, 'base64url');
  if (!bytes.subarray(0, OPERATION_BYTES).equals(operationHash(operation))) return 'other_request';
  const known = new Set<string>();
  for (let at = HEAD_BYTES; at + MONITOR_BYTES <= bytes.length; at += MONITOR_BYTES) {
    known.add(bytes.toString('hex', at, at + MONITOR_BYTES));
  }
  return { changed: monitors.filter((monitor) => !known.has(hashOf(monitor).toString('hex'))), before: known.size };
}

function operationHash(operation: unknown): Buffer {
  return digest(canonicalJson(operation), OPERATION_BYTES);
}

function hashOf({ _id, version }: Versioned): Buffer {
  return digest(`${_id}/${version}`, MONITOR_BYTES);
}

function digest(content: string | Buffer, bytes: number): Buffer {
  return createHash('sha256').update(content).digest().subarray(0, bytes);
}
