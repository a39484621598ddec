import { createHash } from 'node:crypto';
import { decodeTime, encodeTime, monotonicFactory } from 'ulid';
import type { Clock } from '../../kernel/clock.js';
import type { Random } from '../../kernel/random.js';

const RANDOM_CHARS = 16;
const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

/** Makes identifiers that sort by creation time: the prefix, `_`, and a ULID in lower case. Each slice declares its prefixes. */
export interface Ids {
  next(prefix: string): string;
}

/** If the clock goes back by more than this, ids follow it: their time is shown to people. */
const BACK_MS_MAX = 1_000;

/** The ids of one `Ids` sort in the order of their creation, even within a millisecond or when the clock goes back a little. */
export function createIds(clock: Clock, random: Random): Ids {
  let ulid = monotonicFactory(byteFractions(random));
  let latestMs = 0;
  return {
    next(prefix) {
      // The library replaces a time of 0 by the real time.
      const nowMs = Math.max(1, clock.now());
      if (nowMs < latestMs - BACK_MS_MAX) {
        ulid = monotonicFactory(byteFractions(random));
        latestMs = nowMs;
      }
      latestMs = Math.max(latestMs, nowMs);
      return `${prefix}_${ulid(nowMs).toLowerCase()}`;
    },
  };
}

/** Returns the next random fraction for a character of a ULID. One call to the generator serves a whole ULID. */
function byteFractions(random: Random): () => number {
  let bytes: Buffer = Buffer.alloc(0);
  let next = 0;
  return () => {
    if (next === bytes.length) {
      bytes = random.bytes(RANDOM_CHARS);
      next = 0;
    }
    return bytes.readUInt8(next++) / 256;
  };
}

/** Returns the creation time of an id, in milliseconds since the epoch. */
export function idTime(id: string): number {
  return decodeTime(id.slice(id.indexOf('_') + 1));
}

/** Returns the smallest possible id of that time: earlier ids sort before it, later ones after it. */
export function idFloor(prefix: string, timeMs: number): string {
  const time = encodeTime(Math.max(0, Math.floor(timeMs))).toLowerCase();
  return `${prefix}_${time}${'0'.repeat(RANDOM_CHARS)}`;
}

/**
 * Returns the id of an object that is stored under a key of its own: the same for the same key and time. It sorts by
 * the time.
 */
export function idOfKey(prefix: string, timeMs: number, key: string): string {
  const digest = createHash('sha256').update(key).digest();
  // 16 characters of five bits each.
  const random = Array.from(digest.subarray(0, RANDOM_CHARS), (byte) => CROCKFORD[byte % CROCKFORD.length]).join('');
  return idFloor(prefix, timeMs).slice(0, -RANDOM_CHARS) + random;
}

/** Returns the id of another kind for the same object: `tle_…` of the audit entry `evt_…`. */
export function withPrefix(prefix: string, id: string): string {
  return `${prefix}_${id.slice(id.indexOf('_') + 1)}`;
}

/** Returns the JSON Schema pattern of one kind of id. */
export function idPattern(prefix: string): string {
  return `^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`;
}
