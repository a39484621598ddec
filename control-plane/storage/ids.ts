import type { Clock } from '../../kernel/clock.js';
import type { Random } from '../../kernel/random.js';

export const ID_PREFIXES = [
  'mon',
  'srv',
  'inc',
  'usr',
  'ws',
  'key',
  'evt',
  'rpt',
  'site',
  'blm',
  'blc',
  'chn',
  'rule',
  'prb',
  'mnt',
  'stp',
  'bkp',
  'eml',
  'scn',
  'inv',
  'fwd',
  'job',
] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARS = 10;
const CHANCE_CHARS = 16;

/** Makes identifiers that sort by creation: prefix, `_`, 26 lower-case Crockford base-32 characters of a ULID. */
export interface Ids {
  next(prefix: IdPrefix): string;
}

/** Two ids of one process never sort against their order of creation, not even within a millisecond. */
export function createIds(clock: Clock, random: Random): Ids {
  let lastMs = 0;
  let chance = 0n;
  return {
    next(prefix) {
      const now = Math.max(clock.now(), lastMs);
      if (now === lastMs) {
        chance += 1n;
      } else {
        lastMs = now;
        chance = BigInt(`0x${random.bytes(10).toString('hex')}`) & ((1n << 79n) - 1n);
      }
      return `${prefix}_${base32(BigInt(now), TIME_CHARS)}${base32(chance, CHANCE_CHARS)}`;
    },
  };
}

function base32(value: bigint, length: number): string {
  let text = '';
  let rest = value;
  for (let index = 0; index < length; index++) {
    text = CROCKFORD[Number(rest & 31n)] + text;
    rest >>= 5n;
  }
  return text;
}

/** Milliseconds since the epoch at which the id was made. */
export function idTime(id: string): number {
  const ulid = id.slice(id.indexOf('_') + 1);
  let time = 0;
  for (const char of ulid.slice(0, TIME_CHARS)) time = time * 32 + CROCKFORD.indexOf(char);
  return time;
}

/** What every id made at that time or later sorts behind or equals, and every earlier one before. */
export function idFloor(prefix: IdPrefix, timeMs: number): string {
  return `${prefix}_${base32(BigInt(Math.max(0, Math.floor(timeMs))), TIME_CHARS)}${'0'.repeat(CHANCE_CHARS)}`;
}

/** The JSON Schema pattern of one kind of id. */
export function idPattern(prefix: IdPrefix): string {
  return `^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`;
}
