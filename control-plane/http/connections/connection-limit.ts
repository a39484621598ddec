import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../../kernel/clock.js';
import { canonicalAddress, type Networks } from '../../../kernel/guard/networks.js';
import type { Logger } from '../../../kernel/logger.js';
import { networkBucket } from '../limits/address-bucket.js';
import { type ConnectionPlaces, createConnectionPlaces, type WaitingConnection } from '../limits/connection-places.js';
import { countTurnedAway } from '../limits/turned-away.js';

/** A control plane has 2,000 event streams at most. The other connections are for requests, and for clients that keep theirs. */
const CONNECTIONS_MAX = 10_000;
/** An address may have 500 event streams, and an office behind one address has other requests beside them. */
const CONNECTIONS_OF_NETWORK_MAX = 1_000;
/** A new connection has this time for its request before another one of its network, or of many others, can take its place. */
const SILENT_MS_MIN = 1_000;

/** How many connections may be open at once. */
export interface ConnectionLimits {
  max: number;
  /** From one network: an IPv4 address or an IPv6 /56. Connections of trusted proxies do not count. */
  ofNetworkMax: number;
}

/**
 * Returns the limits for a process that may open this many files. The database, nodes, checks and files need the other half of
 * them. null: as many as it likes.
 */
export function connectionLimitsFor(descriptorsMax: number | null): ConnectionLimits {
  const max = Math.min(CONNECTIONS_MAX, Math.floor((descriptorsMax ?? Number.POSITIVE_INFINITY) / 2));
  return { max, ofNetworkMax: Math.min(CONNECTIONS_OF_NETWORK_MAX, Math.floor(max / 2)) };
}

/** The connections of the HTTP port. */
export interface HttpConnections {
  /** Returns how many are open. */
  open(): number;
  /** Returns how many found no place, or lost it, since the start of the process. */
  turnedAway(): number;
  stop(): void;
}

interface Connection extends WaitingConnection {
  socket: Socket;
  /** Where it waits: among strangers, or among the connections of trusted proxies. */
  places: ConnectionPlaces<Connection>;
  /** Requests whose answer has not ended. */
  requests: Set<IncomingMessage>;
}

/**
 * Limits how many connections a server has. A connection waits while the control plane is not answering a request that has arrived
 * in full: before the first request, between two, and while one arrives. Only those that wait are pushed out, so an event stream
 * or a long download never is. Trusted proxies have no limit for their address, and strangers never push them out.
 */
export function limitConnections(
  server: Server,
  needs: { clock: Clock; logger: Logger; trustedProxies: Networks; limits: ConnectionLimits },
): HttpConnections {
  const { clock, limits, trustedProxies } = needs;
  const open = new Map<Socket, Connection>();
  const ofNetworks = new Map<string, number>();
  const strangers = createConnectionPlaces<Connection>();
  const ofProxies = createConnectionPlaces<Connection>();
  const turnedAway = countTurnedAway(
    needs,
    `ended HTTP connections because too many were open: at most ${limits.max}, and ${limits.ofNetworkMax} of one network`,
  );

  function end(connection: Connection): void {
    turnedAway.count();
    forget(connection);
    connection.socket.destroy();
  }

  function forget(connection: Connection): void {
    if (!open.delete(connection.socket)) return;
    connection.places.remove(connection);
    if (connection.places === ofProxies) return;
    const left = (ofNetworks.get(connection.network) ?? 0) - 1;
    if (left > 0) ofNetworks.set(connection.network, left);
    else ofNetworks.delete(connection.network);
  }

  /** Ends the connection that `choose` returns. One whose request has arrived since it was added is not waiting any more. */
  function endOne(choose: () => Connection | 'free' | 'full'): boolean {
    for (;;) {
      const place = choose();
      if (place === 'free') return true;
      if (place === 'full') return false;
      if (isAnswered(place)) place.places.remove(place);
      else return end(place) === undefined;
    }
  }

  function makePlace(network: string, places: ConnectionPlaces<Connection>): boolean {
    const nowMs = clock.monotonic();
    if (places === strangers && (ofNetworks.get(network) ?? 0) >= limits.ofNetworkMax) {
      return endOne(() => {
        const own = strangers.longestSilent(network);
        return own !== null && nowMs - own.silentSinceMs >= SILENT_MS_MIN ? own : 'full';
      });
    }
    const silentMsMin = places === ofProxies ? 0 : SILENT_MS_MIN;
    // Those of proxies and those that are being answered keep their places.
    const forStrangers = () => limits.max - (open.size - strangers.size());
    if (endOne(() => strangers.placeFor(network, { max: forStrangers(), silentMsMin }, nowMs))) return true;
    return places === ofProxies && endOne(() => ofProxies.longestSilent() ?? 'full');
  }

  function opened(socket: Socket): void {
    const address = canonicalAddress(socket.remoteAddress ?? '');
    if (address === null) return void socket.destroy();
    const network = networkBucket(address);
    const places = trustedProxies.contain(address) ? ofProxies : strangers;
    if (!makePlace(network, places)) {
      turnedAway.count();
      return void socket.destroy();
    }
    const connection = {
      socket,
      network,
      places,
      silentSinceMs: clock.monotonic(),
      requests: new Set<IncomingMessage>(),
    };
    open.set(socket, connection);
    if (places === strangers) ofNetworks.set(network, (ofNetworks.get(network) ?? 0) + 1);
    places.add(connection);
    socket.once('close', () => forget(connection));
  }

  /** Called when a request begins or its answer ends. */
  function heard(connection: Connection): void {
    connection.places.remove(connection);
    if (!open.has(connection.socket) || isAnswered(connection)) return;
    connection.silentSinceMs = clock.monotonic();
    connection.places.add(connection);
  }

  server.on('connection', opened);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = open.get(request.socket);
    if (connection === undefined) return;
    connection.requests.add(request);
    response.once('close', () => {
      connection.requests.delete(request);
      heard(connection);
    });
    heard(connection);
  });
  return { open: () => open.size, turnedAway: turnedAway.total, stop: turnedAway.stop };
}

/** Returns whether one of its requests has arrived in full. */
function isAnswered({ requests }: Connection): boolean {
  return [...requests].some((request) => request.complete || !hasBody(request));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
