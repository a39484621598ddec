import type { Socket } from 'node:net';
import type { Clock, Timer } from '../../../../kernel/clock.js';
import { canonicalAddress } from '../../../../kernel/guard/networks.js';
import type { Logger } from '../../../../kernel/logger.js';
import { addressBucket } from '../../../http/limits/address-bucket.js';
import { placeFor, type WaitingPlaces } from './waiting-places.js';

/** A connection ends after this time without a stream of a node that has authenticated. */
const WAITING_MS_MAX = 10_000;
/** From the start of a connection to the first record of TLS, and to the first call. A node needs a fraction of a second. */
const HELLO_MS_MAX = 2_000;
const HANDSHAKE_MS_MAX = 5_000;
/** Connections without the first record of TLS, which cost a socket each. */
const SILENT_PLACES: WaitingPlaces = { max: 1_000, silentMsMin: 250 };
/** Connections with TLS but without a valid message. A control plane that is busy may take some of the time. */
const BEGUN_PLACES: WaitingPlaces = { max: 100, silentMsMin: 3_000 };
/** A node sends about 4 KB before its first valid message: the handshake of TLS, one call, its credential and a Hello. */
const WAITING_BYTES_MAX = 65_536;
const BYTES_CHECK_MS = 250;
/** A node makes one. */
const WAITING_CALLS_MAX = 4;
const LOG_MS = 60_000;

/**
 * The connections of the gRPC port. Until a node has authenticated on it and sent its Hello, a connection may cost
 * little: its time, bytes and calls are limited, and so is the number of such connections.
 */
export interface Connections {
  /** Takes a connection, or ends it at once when too many others wait. Returns whether it was taken. */
  opened(socket: Socket): boolean;
  /** Called when the first record of TLS has arrived. Ends the connection, and returns false, when too many others wait. */
  began(socket: Socket): boolean;
  /** Counts a call before it is looked at. Returns false when the connection has made too many. */
  mayCall(peer: string): boolean;
  /** Called for a valid Hello. Returns the function to call once its stream has ended. */
  proven(peer: string): () => void;
  /** Ends all connections, and the work of this object. */
  close(): void;
}

interface Connection {
  socket: Socket;
  network: string;
  openedMs: number;
  silentSinceMs: number;
  bytesRead: number;
  /** Calls since no stream of a node is open. */
  calls: number;
  /** Open streams of authenticated nodes. */
  streams: number;
  deadline: Timer;
}

/** A peer is `<address>:<port>`, as grpc-js names it. */
export function createConnections({ clock, logger }: { clock: Clock; logger: Logger }): Connections {
  /** By peer. */
  const open = new Map<string, Connection>();
  /** Those without the first record of TLS, and those without a valid message, in the order of arrival. */
  const silent = new Set<Connection>();
  const begun = new Set<Connection>();
  const turnedAway = logTurnedAway(clock, logger);

  /** Returns whether there is a place for one more connection, which another one may have lost to it. */
  function makePlace(waiting: Set<Connection>, places: WaitingPlaces, network: string): boolean {
    if (waiting.size < places.max) return true;
    const place = placeFor([...waiting], network, places, clock.monotonic());
    if (place === 'free') return true;
    turnedAway.count();
    if (place === 'full') return false;
    waiting.delete(place);
    place.socket.destroy();
    return true;
  }

  /** Ends the connection at this time after its start, unless it gets further. */
  function endsAfter(connection: Pick<Connection, 'socket' | 'openedMs'>, ms: number): Timer {
    const leftMs = Math.max(0, connection.openedMs + ms - clock.monotonic());
    return clock.after(leftMs, () => connection.socket.destroy());
  }

  function getsUntil(connection: Connection, ms: number): void {
    connection.deadline.cancel();
    connection.deadline = endsAfter(connection, ms);
  }

  function opened(socket: Socket): boolean {
    const peer = `${socket.remoteAddress}:${socket.remotePort}`;
    const network = peerNetwork(addressOfPeer(peer));
    if (socket.remoteAddress === undefined || !makePlace(silent, SILENT_PLACES, network)) {
      socket.destroy();
      return false;
    }
    const openedMs = clock.monotonic();
    const connection: Connection = {
      ...{ socket, network, openedMs, silentSinceMs: openedMs, bytesRead: 0, calls: 0, streams: 0 },
      deadline: endsAfter({ socket, openedMs }, HELLO_MS_MAX),
    };
    silent.add(connection);
    open.set(peer, connection);
    socket.once('close', () => {
      connection.deadline.cancel();
      silent.delete(connection);
      begun.delete(connection);
      if (open.get(peer) === connection) open.delete(peer);
    });
    return true;
  }

  function began(socket: Socket): boolean {
    const connection = open.get(`${socket.remoteAddress}:${socket.remotePort}`);
    if (connection?.socket !== socket || !silent.delete(connection)) return false;
    if (!makePlace(begun, BEGUN_PLACES, connection.network)) {
      socket.destroy();
      return false;
    }
    connection.silentSinceMs = clock.monotonic();
    begun.add(connection);
    getsUntil(connection, HANDSHAKE_MS_MAX);
    return true;
  }

  const bytesCheck = clock.every(BYTES_CHECK_MS, () => {
    for (const connection of begun) {
      const { bytesRead } = connection.socket;
      if (bytesRead > WAITING_BYTES_MAX) connection.socket.destroy();
      if (bytesRead === connection.bytesRead) continue;
      connection.bytesRead = bytesRead;
      connection.silentSinceMs = clock.monotonic();
    }
  });

  return {
    opened,
    began,
    mayCall(peer) {
      const connection = open.get(peer);
      if (connection === undefined || connection.streams > 0) return true;
      if (connection.calls === 0 && begun.has(connection)) getsUntil(connection, WAITING_MS_MAX);
      connection.calls += 1;
      return connection.calls <= WAITING_CALLS_MAX;
    },
    proven(peer) {
      const connection = open.get(peer);
      if (connection === undefined) return () => {};
      connection.streams += 1;
      connection.deadline.cancel();
      begun.delete(connection);
      return () => {
        connection.streams -= 1;
        const { socket, streams } = connection;
        if (streams > 0 || socket.destroyed) return;
        connection.calls = 0;
        connection.deadline = clock.after(WAITING_MS_MAX, () => socket.destroy());
      };
    },
    close() {
      bytesCheck.cancel();
      turnedAway.stop();
      for (const { socket } of open.values()) socket.destroy();
    },
  };
}

/**
 * Returns the network whose connections count together: an IPv4 address, or an IPv6 /56, which many providers give to one customer.
 */
function peerNetwork(address: string | null): string {
  const bucket = addressBucket(address);
  const groups = bucket.split(':');
  if (groups.length < 4) return bucket;
  return [...groups.slice(0, 3), (Number.parseInt(groups[3] ?? '0', 16) >> 8).toString(16)].join(':');
}

/** Counts connections that found no place or lost it, and writes one line to the log for those of a minute. */
function logTurnedAway(clock: Clock, logger: Logger): { count(): void; stop(): void } {
  let connections = 0;
  const timer = clock.every(LOG_MS, () => {
    if (connections === 0) return;
    logger.warn({ connections }, 'ended gRPC connections because too many waited for their first valid message');
    connections = 0;
  });
  return {
    count() {
      connections += 1;
    },
    stop: () => timer.cancel(),
  };
}

/** Returns the address of a peer, in its shortest form; null when the connection has been closed. */
export function addressOfPeer(peer: string): string | null {
  return canonicalAddress(peer.slice(0, peer.lastIndexOf(':')));
}
