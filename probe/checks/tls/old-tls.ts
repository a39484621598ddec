import { isIP } from 'node:net';
import { connect, type SecureContext } from 'node:tls';
import type { Clock } from '../../../kernel/clock.js';
import { createRecent } from '../recent.js';

/** How long an answer is good for. */
const KNOWN_FOR_MS = 6 * 3_600_000;
/** After a handshake that told nothing (no connection, no answer) it is tried again sooner. */
const UNKNOWN_FOR_MS = 600_000;
const HANDSHAKE_MS = 5000;
/** More at once wait for a later check of their monitor. */
const HANDSHAKES_MAX = 4;
const ENTRIES_MAX = 16_384;
/** What an outcome waits for a first answer, so that the first grade is right already. */
const FIRST_ANSWER_MS = 500;

export interface TlsEndpoint {
  fingerprint: string;
  address: string;
  port: number;
  host: string;
}

/**
 * Finds out whether a server still accepts TLS 1.0 or 1.1. It takes a handshake of its own, so it is done beside the
 * checks, at most once per certificate and address in 6 h, and never within a measured phase.
 */
export interface OldTls {
  /** null: not known (yet). Waits for a handshake of its own at most `waitMsMax`, and never over half a second. */
  accepted(endpoint: TlsEndpoint, waitMsMax: number): Promise<boolean | null> | boolean | null;
}

type Entry = { accepted: boolean | null; untilMs: number };

export function createOldTls(options: { clock: Clock; oldOnly: SecureContext }): OldTls {
  const { clock } = options;
  const known = createRecent<Entry>(ENTRIES_MAX);
  const running = new Map<string, Promise<boolean | null>>();

  function begin(key: string, endpoint: TlsEndpoint): Promise<boolean | null> {
    const handshake = offerOldTls(endpoint, options).then((accepted) => {
      running.delete(key);
      known.set(key, { accepted, untilMs: clock.monotonic() + (accepted === null ? UNKNOWN_FOR_MS : KNOWN_FOR_MS) });
      return accepted;
    });
    running.set(key, handshake);
    return handshake;
  }

  return {
    accepted(endpoint, waitMsMax) {
      const key = `${endpoint.fingerprint} ${endpoint.address} ${endpoint.port}`;
      const entry = known.get(key);
      if (entry !== undefined && entry.untilMs > clock.monotonic()) return entry.accepted;
      const present = running.get(key);
      if (present === undefined && running.size >= HANDSHAKES_MAX) return entry?.accepted ?? null;
      const handshake = present ?? begin(key, endpoint);
      return new Promise((resolve) => {
        const patience = clock.after(Math.min(waitMsMax, FIRST_ANSWER_MS), () => resolve(entry?.accepted ?? null));
        void handshake.then((accepted) => {
          patience.cancel();
          resolve(accepted);
        });
      });
    },
  };
}

/** true: taken up. false: a server that was reached refused. null: no answer either way. */
function offerOldTls(
  endpoint: TlsEndpoint,
  options: { clock: Clock; oldOnly: SecureContext },
): Promise<boolean | null> {
  return new Promise((resolve) => {
    let connected = false;
    const socket = connect({
      host: endpoint.address,
      port: endpoint.port,
      secureContext: options.oldOnly,
      rejectUnauthorized: false,
      ...(isIP(endpoint.host) === 0 ? { servername: endpoint.host } : {}),
    });
    const timer = options.clock.after(HANDSHAKE_MS, () => finish(null));
    const finish = (accepted: boolean | null) => {
      timer.cancel();
      socket.destroy();
      resolve(accepted);
    };
    socket.on('connect', () => {
      connected = true;
    });
    socket.on('secureConnect', () => finish(true));
    // A refusal is an alert or simply the end of the connection.
    socket.on('error', () => finish(connected ? false : null));
    socket.on('close', () => finish(connected ? false : null));
  });
}
