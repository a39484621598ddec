/** A connection that may have to make room for another one. */
export interface WaitingConnection {
  /** The network of the peer, as `networkBucket` returns it. */
  network: string;
  /** When it last did something that counts as a sign of life, or when it was opened, in milliseconds. */
  silentSinceMs: number;
}

/** How many connections may wait at once in the same state. */
export interface PlaceLimits {
  max: number;
  /** One that has been silent for this time can lose its place to any other. */
  silentMsMin: number;
}

/** Connections that wait in the same state. The work to find one that makes room does not grow with the connections of a network. */
export interface ConnectionPlaces<C extends WaitingConnection> {
  size(): number;
  /** Adds the connection as the one that has been silent for the shortest time. */
  add(connection: C): void;
  /** Returns whether it was waiting. */
  remove(connection: C): boolean;
  has(connection: C): boolean;
  /** Returns all of them; the one that has been silent longest is the first. */
  all(): C[];
  /** Returns the one that has been silent longest, of this network if one is given; null when none waits. */
  longestSilent(network?: string): C | null;
  /**
   * Decides whether one more connection may wait: `free` when there is room, `full` when it is refused, or the
   * connection that loses its place to it.
   *
   * The network with the most connections loses a place to one that has fewer even with the newcomer, so a crowd from one address
   * does not keep others out. Otherwise the connection that has been silent longest makes room, so a crowd from many addresses that
   * sends nothing does not either. When a whole fleet returns at once, those that came first keep their places, because none of
   * them is silent, and the rest retries.
   */
  placeFor(network: string, limits: PlaceLimits, nowMs: number): 'free' | 'full' | C;
}

export function createConnectionPlaces<C extends WaitingConnection>(): ConnectionPlaces<C> {
  /** Both in the order of silence, because a connection is added when it has just been heard. */
  const waiting = new Set<C>();
  const networks = new Map<string, Set<C>>();

  function longestSilent(network?: string): C | null {
    const [longest] = (network === undefined ? waiting : networks.get(network)) ?? [];
    return longest ?? null;
  }

  return {
    size: () => waiting.size,
    add(connection) {
      waiting.add(connection);
      const ofNetwork = networks.get(connection.network) ?? new Set();
      networks.set(connection.network, ofNetwork.add(connection));
    },
    remove(connection) {
      const ofNetwork = networks.get(connection.network);
      ofNetwork?.delete(connection);
      if (ofNetwork?.size === 0) networks.delete(connection.network);
      return waiting.delete(connection);
    },
    has: (connection) => waiting.has(connection),
    all: () => [...waiting],
    longestSilent,
    placeFor(network, { max, silentMsMin }, nowMs) {
      if (waiting.size < max) return 'free';
      let most: Set<C> = new Set();
      for (const ofNetwork of networks.values()) if (ofNetwork.size > most.size) most = ofNetwork;
      if (most.size > (networks.get(network)?.size ?? 0) + 1) {
        const [longest] = most;
        return longest ?? 'full';
      }
      const silent = longestSilent();
      return silent !== null && nowMs - silent.silentSinceMs >= silentMsMin ? silent : 'full';
    },
  };
}
