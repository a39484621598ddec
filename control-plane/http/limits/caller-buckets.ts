import type { Actor } from '../../actor.js';
import type { RateCounter } from './rate-counter.js';

/**
 * All API keys of a workspace together get as much as this many of them. One key cannot use up the limit of the others,
 * and further keys give no further requests.
 */
const KEYS_TOGETHER = 2;

/** A count with a limit per minute. */
export interface CallerBucket {
  name: string;
  limit: number;
  /** Whose limit it is, to follow "for": `each API key`. */
  of: string;
}

/**
 * Returns the buckets in which a request of the actor counts. `limit` is that of one API key or person. The keys of a
 * workspace also share a bucket. People do not count in it, so that no program can lock them out.
 */
export function callerBuckets(actor: Pick<Actor, 'key' | 'workspaceId' | 'userId'>, limit: number): CallerBucket[] {
  const { key, workspaceId, userId } = actor;
  if (key === null) return [{ name: `${workspaceId}/${userId}`, limit, of: 'each person' }];
  return [
    { name: key.id, limit, of: 'each API key' },
    { name: `${workspaceId}/keys`, limit: KEYS_TOGETHER * limit, of: 'all API keys of a workspace together' },
  ];
}

/** Counts a request in each bucket, or in none if one of them is full, and returns that one. */
export function takeFrom(
  counter: Pick<RateCounter, 'used' | 'add'>,
  buckets: readonly CallerBucket[],
): CallerBucket | null {
  const full = buckets.find(({ name, limit }) => counter.used(name) >= limit);
  if (full !== undefined) return full;
  for (const { name } of buckets) counter.add(name);
  return null;
}
