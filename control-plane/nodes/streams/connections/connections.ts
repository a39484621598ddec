import type { Socket } from 'node:net';
import type { Clock, Timer } from '../../../../kernel/clock.js';
import { canonicalAddress } from '../../../../kernel/guard/networks.js';
import type { Logger } from '../../../../kernel/logger.js';
import { networkBucket } from '../../../http/limits/address-bucket.js';
import { createWaitingConnections, type WaitingNode } from './waiting-connections.js';

/** A connection ends after this time without a stream of a node that has authenticated. */
const WAITING_MS_MAX = 10_000;
/** From the start of a connection to the first record of TLS, and to the first call. A node needs a fraction of a second. */
const HELLO_MS_MAX = 2_000;
const HANDSHAKE_MS_MAX = 5_000;
/** A node makes one. */
const WAITING_CALLS_MAX = 4;

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

interface Connection extends WaitingNode {
  openedMs: number;
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
  const waiting = createWaitingConnections<Connection>({ clock, logger });

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
    const network = networkBucket(addressOfPeer(peer));
    if (socket.remoteAddress === undefined || !waiting.hasPlaceFor(network)) {
      socket.destroy();
      return false;
    }
    const openedMs = clock.monotonic();
    const connection: Connection = {
      socket,
      network,
      openedMs,
      silentSinceMs: openedMs,
      bytesRead: 0,
      calls: 0,
      streams: 0,
      deadline: endsAfter({ socket, openedMs }, HELLO_MS_MAX),
    };
    waiting.add(connection);
    open.set(peer, connection);
    socket.once('close', () => {
      connection.deadline.cancel();
      waiting.remove(connection);
      if (open.get(peer) === connection) open.delete(peer);
    });
    return true;
  }

  function began(socket: Socket): boolean {
    const connection = open.get(`${socket.remoteAddress}:${socket.remotePort}`);
    if (connection?.socket !== socket || !waiting.began(connection)) return false;
    getsUntil(connection, HANDSHAKE_MS_MAX);
    return true;
  }

  return {
    opened,
    began,
    mayCall(peer) {
      const connection = open.get(peer);
      if (connection === undefined || connection.streams > 0) return true;
      if (connection.calls === 0 && waiting.hasBegun(connection)) getsUntil(connection, WAITING_MS_MAX);
      connection.calls += 1;
      return connection.calls <= WAITING_CALLS_MAX;
    },
    proven(peer) {
      const connection = open.get(peer);
      if (connection === undefined) return () => {};
      connection.streams += 1;
      connection.deadline.cancel();
      waiting.remove(connection);
      return () => {
        connection.streams -= 1;
        const { socket, streams } = connection;
        if (streams > 0 || socket.destroyed) return;
        connection.calls = 0;
        connection.deadline = clock.after(WAITING_MS_MAX, () => socket.destroy());
      };
    },
    close() {
      waiting.stop();
      for (const { socket } of open.values()) socket.destroy();
    },
  };
}

/** Returns the address of a peer, in its shortest form; null when the connection has been closed. */
export function addressOfPeer(peer: string): string | null {
  return canonicalAddress(peer.slice(0, peer.lastIndexOf(':')));
}
