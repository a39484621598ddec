/** A connection that waits for its first valid message. */
export interface Waiting {
  /** The bucket of the peer's address. */
  bucket: string;
}

/** Connections that may wait for their first valid message at once. A node needs a fraction of a second. */
const WAITING_CONNECTIONS_MAX = 100;

/**
 * Decides whether one more connection may wait: `free` when there is room, `full` when it is refused, or the
 * connection that loses its place to it. `waiting` is in the order of arrival.
 *
 * A place is taken from the address with the most of them, and only when the newcomer's address has fewer even with
 * this one. So a hundred connections from one address do not keep other addresses out. When a whole fleet returns
 * at once, those that came first keep their places, and the rest retries.
 */
export function placeFor<W extends Waiting>(waiting: readonly W[], bucket: string): 'free' | 'full' | W {
  if (waiting.length < WAITING_CONNECTIONS_MAX) return 'free';
  const counts = new Map<string, number>();
  for (const one of waiting) counts.set(one.bucket, (counts.get(one.bucket) ?? 0) + 1);
  const [most = '', count = 0] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0]);
  if (count <= (counts.get(bucket) ?? 0) + 1) return 'full';
  return waiting.find((one) => one.bucket === most) ?? 'full';
}
