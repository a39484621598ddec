import type { Socket } from 'node:net';
import type { Clock } from '../../../../kernel/clock.js';
import type { Logger } from '../../../../kernel/logger.js';
import { placeFor, type WaitingPlaces } from './waiting-places.js';

/** Connections without the first record of TLS, which cost a socket each. */
const SILENT_PLACES: WaitingPlaces = { max: 1_000, silentMsMin: 250 };
/** Connections with TLS but without a valid message. A control plane that is busy may take some of the time. */
const BEGUN_PLACES: WaitingPlaces = { max: 100, silentMsMin: 3_000 };
/** A node sends about 4 KB before its first valid message: the handshake of TLS, one call, its credential and a Hello. */
const WAITING_BYTES_MAX = 65_536;
const BYTES_CHECK_MS = 250;
const LOG_MS = 60_000;

export interface WaitingConnection {
  socket: Socket;
  network: string;
  silentSinceMs: number;
  bytesRead: number;
}

/** The connections that have not sent a valid message yet. Their number and their bytes are limited. */
export interface WaitingConnections<C extends WaitingConnection> {
  /** Returns whether there is a place for one more without the first record of TLS, which another one may have lost to it. */
  hasPlaceFor(network: string): boolean;
  /** Adds a connection without the first record of TLS. */
  add(connection: C): void;
  /** Called for the first record of TLS. Returns false when the connection is not waiting for it, or finds no place among the next. */
  began(connection: C): boolean;
  hasBegun(connection: C): boolean;
  remove(connection: C): void;
  stop(): void;
}

export function createWaitingConnections<C extends WaitingConnection>({
  clock,
  logger,
}: {
  clock: Clock;
  logger: Logger;
}): WaitingConnections<C> {
  /** Both in the order of arrival. */
  const silent = new Set<C>();
  const begun = new Set<C>();
  const turnedAway = logTurnedAway(clock, logger);

  function makePlace(waiting: Set<C>, places: WaitingPlaces, network: string): boolean {
    if (waiting.size < places.max) return true;
    const place = placeFor([...waiting], network, places, clock.monotonic());
    if (place === 'free') return true;
    turnedAway.count();
    if (place === 'full') return false;
    waiting.delete(place);
    place.socket.destroy();
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
    hasPlaceFor: (network) => makePlace(silent, SILENT_PLACES, network),
    add: (connection) => void silent.add(connection),
    began(connection) {
      if (!silent.delete(connection)) return false;
      if (!makePlace(begun, BEGUN_PLACES, connection.network)) {
        connection.socket.destroy();
        return false;
      }
      connection.silentSinceMs = clock.monotonic();
      begun.add(connection);
      return true;
    },
    hasBegun: (connection) => begun.has(connection),
    remove(connection) {
      silent.delete(connection);
      begun.delete(connection);
    },
    stop() {
      bytesCheck.cancel();
      turnedAway.stop();
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
