import type { Socket } from 'node:net';
import type { Clock } from '../../../../kernel/clock.js';
import type { Logger } from '../../../../kernel/logger.js';
import {
  type ConnectionPlaces,
  createConnectionPlaces,
  type PlaceLimits,
  type WaitingConnection,
} from '../../../http/limits/connection-places.js';
import { countTurnedAway } from '../../../http/limits/turned-away.js';

/** Connections without the first record of TLS, which cost a socket each. */
const SILENT_PLACES: PlaceLimits = { max: 1_000, silentMsMin: 250 };
/** Connections with TLS but without a valid message. A control plane that is busy may take some of the time. */
const BEGUN_PLACES: PlaceLimits = { max: 100, silentMsMin: 3_000 };
/** A node sends about 4 KB before its first valid message: the handshake of TLS, one call, its credential and a Hello. */
const WAITING_BYTES_MAX = 65_536;
const BYTES_CHECK_MS = 250;

export interface WaitingNode extends WaitingConnection {
  socket: Socket;
  bytesRead: number;
}

/** The connections that have not sent a valid message yet. Their number and their bytes are limited. */
export interface WaitingConnections<C extends WaitingNode> {
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

export function createWaitingConnections<C extends WaitingNode>({
  clock,
  logger,
}: {
  clock: Clock;
  logger: Logger;
}): WaitingConnections<C> {
  const silent = createConnectionPlaces<C>();
  const begun = createConnectionPlaces<C>();
  const turnedAway = countTurnedAway(
    { clock, logger },
    'ended gRPC connections because too many waited for their first valid message',
  );

  function makePlace(waiting: ConnectionPlaces<C>, limits: PlaceLimits, network: string): boolean {
    const place = waiting.placeFor(network, limits, clock.monotonic());
    if (place === 'free') return true;
    turnedAway.count();
    if (place === 'full') return false;
    waiting.remove(place);
    place.socket.destroy();
    return true;
  }

  const bytesCheck = clock.every(BYTES_CHECK_MS, () => {
    for (const connection of begun.all()) {
      const { bytesRead } = connection.socket;
      if (bytesRead > WAITING_BYTES_MAX) connection.socket.destroy();
      if (bytesRead === connection.bytesRead) continue;
      connection.bytesRead = bytesRead;
      connection.silentSinceMs = clock.monotonic();
      begun.remove(connection);
      begun.add(connection);
    }
  });

  return {
    hasPlaceFor: (network) => makePlace(silent, SILENT_PLACES, network),
    add: silent.add,
    began(connection) {
      if (!silent.remove(connection)) return false;
      if (!makePlace(begun, BEGUN_PLACES, connection.network)) {
        connection.socket.destroy();
        return false;
      }
      connection.silentSinceMs = clock.monotonic();
      begun.add(connection);
      return true;
    },
    hasBegun: begun.has,
    remove(connection) {
      silent.remove(connection);
      begun.remove(connection);
    },
    stop() {
      bytesCheck.cancel();
      turnedAway.stop();
    },
  };
}
