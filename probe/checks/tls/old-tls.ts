import { isIP } from 'node:net';
import { connect, type SecureContext } from 'node:tls';
import type { Clock } from '../../../kernel/clock.js';
import { createLruCache } from '../../lru-cache.js';

/** How long a result is valid. */
const VALID_MS = 6 * 3_600_000;
/** A handshake without a result (no connection, no response) is repeated after this time. */
const RETRY_MS = 600_000;
const HANDSHAKE_TIMEOUT_MS = 5000;
/** Handshakes at the same time. Further ones are postponed to a later check of their monitor. */
const HANDSHAKES_MAX = 4;
const ENTRIES_MAX = 16_384;
/** How long an outcome waits for the first result, so that the first grade is already right. */
const FIRST_RESULT_MS = 500;

export interface TlsEndpoint {
  fingerprint: string;
  address: string;
  port: number;
  host: string;
}

/**
 * Detects whether a server still accepts TLS 1.0 or 1.1. This takes an additional handshake, which is made at most once
 * per certificate and address in 6 h and never during a measured phase.
 */
export interface OldTls {
  /** Returns null if it is unknown. Waits for a handshake for at most `waitMsMax` and at most half a second. */
  accepted(endpoint: TlsEndpoint, waitMsMax: number): Promise<boolean | null> | boolean | null;
}

type Entry = { accepted: boolean | null; untilMs: number };

export function createOldTls(needs: { clock: Clock; oldOnly: SecureContext }): OldTls {
  const { clock } = needs;
  const results = createLruCache<Entry>(ENTRIES_MAX);
  const running = new Map<string, Promise<boolean | null>>();

  function start(key: string, endpoint: TlsEndpoint): Promise<boolean | null> {
    const handshake = offerOldTls(endpoint, needs).then((accepted) => {
      running.delete(key);
      results.set(key, { accepted, untilMs: clock.monotonic() + (accepted === null ? RETRY_MS : VALID_MS) });
      return accepted;
    });
    running.set(key, handshake);
    return handshake;
  }

  return {
    accepted(endpoint, waitMsMax) {
      const key = `${endpoint.fingerprint} ${endpoint.address} ${endpoint.port}`;
      const entry = results.get(key);
      if (entry !== undefined && entry.untilMs > clock.monotonic()) return entry.accepted;
      const current = running.get(key);
      if (current === undefined && running.size >= HANDSHAKES_MAX) return entry?.accepted ?? null;
      const handshake = current ?? start(key, endpoint);
      return new Promise((resolve) => {
        const timer = clock.after(Math.min(waitMsMax, FIRST_RESULT_MS), () => resolve(entry?.accepted ?? null));
        void handshake.then((accepted) => {
          timer.cancel();
          resolve(accepted);
        });
      });
    },
  };
}

/** Resolves to true if the server accepts, to false if it refuses, and to null if there is no result. */
function offerOldTls(endpoint: TlsEndpoint, needs: { clock: Clock; oldOnly: SecureContext }): Promise<boolean | null> {
  return new Promise((resolve) => {
    let connected = false;
    const socket = connect({
      host: endpoint.address,
      port: endpoint.port,
      secureContext: needs.oldOnly,
      rejectUnauthorized: false,
      ...(isIP(endpoint.host) === 0 ? { servername: endpoint.host } : {}),
    });
    const timer = needs.clock.after(HANDSHAKE_TIMEOUT_MS, () => finish(null));
    const finish = (accepted: boolean | null) => {
      timer.cancel();
      socket.destroy();
      resolve(accepted);
    };
    socket.on('connect', () => {
      connected = true;
    });
    socket.on('secureConnect', () => finish(true));
    // A server refuses with a TLS alert or by closing the connection.
    socket.on('error', () => finish(connected ? false : null));
    socket.on('close', () => finish(connected ? false : null));
  });
}
