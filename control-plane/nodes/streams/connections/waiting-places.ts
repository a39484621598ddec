/** A connection that waits for its first valid message. */
export interface Waiting {
  /** The network of the peer, as `peerNetwork` returns it. */
  network: string;
  /** When its last byte arrived, or when it was opened, in milliseconds. */
  silentSinceMs: number;
}

/** How many connections may wait at once in the same state. */
export interface WaitingPlaces {
  max: number;
  /** One that has sent nothing for this time can lose its place to any other. */
  silentMsMin: number;
}

/**
 * Decides whether one more connection may wait: `free` when there is room, `full` when it is refused, or the
 * connection that loses its place to it. `waiting` is in the order of arrival.
 *
 * The network with the most connections loses a place to one that has fewer even with the newcomer, so a crowd from one address
 * does not keep others out. Otherwise the connection that has been silent longest makes room, so a crowd from many addresses that
 * sends nothing does not either. When a whole fleet returns at once, those that came first keep their places, because none of
 * them is silent, and the rest retries.
 */
export function placeFor<W extends Waiting>(
  waiting: readonly W[],
  network: string,
  { max, silentMsMin }: WaitingPlaces,
  nowMs: number,
): 'free' | 'full' | W {
  if (waiting.length < max) return 'free';
  const counts = new Map<string, number>();
  for (const one of waiting) counts.set(one.network, (counts.get(one.network) ?? 0) + 1);
  const [most = '', count = 0] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0]);
  if (count > (counts.get(network) ?? 0) + 1) {
    return longestSilent(waiting.filter((one) => one.network === most)) ?? 'full';
  }
  const silent = longestSilent(waiting);
  return silent !== null && nowMs - silent.silentSinceMs >= silentMsMin ? silent : 'full';
}

function longestSilent<W extends Waiting>(waiting: readonly W[]): W | null {
  return waiting.reduce<W | null>(
    (longest, one) => (longest === null || one.silentSinceMs < longest.silentSinceMs ? one : longest),
    null,
  );
}
