import type { Socket } from 'node:net';
import type { Clock, Timer } from '../../../../kernel/clock.js';
import { canonicalAddress } from '../../../../kernel/guard/networks.js';
import type { Logger } from '../../../../kernel/logger.js';
import { addressBucket } from '../../../http/limits/address-bucket.js';
import { placeFor } from './waiting-places.js';

/** A connection ends after this time without a stream of a node that has authenticated. */
const WAITING_MS_MAX = 10_000;
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
  /** Counts a call before it is looked at. Returns false when the connection has made too many. */
  mayCall(peer: string): boolean;
  /** Called for a valid Hello. Returns the function to call once its stream has ended. */
  proven(peer: string): () => void;
  /** Ends all connections, and the work of this object. */
  close(): void;
}

interface Connection {
  socket: Socket;
  bucket: string;
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
  /** Those without a valid message so far, in the order of arrival. */
  const waiting = new Set<Connection>();
  const turnedAway = logTurnedAway(clock, logger);

  /** Returns whether there is a place for one more connection, which another one may have lost to it. */
  function makePlace(bucket: string): boolean {
    const place = placeFor([...waiting], bucket);
    if (place === 'free') return true;
    turnedAway.count();
    if (place === 'full') return false;
    waiting.delete(place);
    place.socket.destroy();
    return true;
  }

  function opened(socket: Socket): boolean {
    const peer = `${socket.remoteAddress}:${socket.remotePort}`;
    const bucket = addressBucket(addressOfPeer(peer));
    if (socket.remoteAddress === undefined || !makePlace(bucket)) {
      socket.destroy();
      return false;
    }
    const deadline = clock.after(WAITING_MS_MAX, () => socket.destroy());
    const connection: Connection = { socket, bucket, calls: 0, streams: 0, deadline };
    waiting.add(connection);
    open.set(peer, connection);
    socket.once('close', () => {
      connection.deadline.cancel();
      waiting.delete(connection);
      if (open.get(peer) === connection) open.delete(peer);
    });
    return true;
  }

  const bytesCheck = clock.every(BYTES_CHECK_MS, () => {
    for (const { socket } of waiting) if (socket.bytesRead > WAITING_BYTES_MAX) socket.destroy();
  });

  return {
    opened,
    mayCall(peer) {
      const connection = open.get(peer);
      if (connection === undefined || connection.streams > 0) return true;
      connection.calls += 1;
      return connection.calls <= WAITING_CALLS_MAX;
    },
    proven(peer) {
      const connection = open.get(peer);
      if (connection === undefined) return () => {};
      connection.streams += 1;
      connection.deadline.cancel();
      waiting.delete(connection);
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
