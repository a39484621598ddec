import type { Clock, Timer } from '../kernel/clock.js';
import { afterListening } from '../kernel/stalls/listening-timer.js';
import type { LinkStream } from './stream.js';

const PING_PERIOD_MS = 10_000;
const PONG_DEADLINE_MS = 10_000;

/**
 * Pings the control plane on a stream. The control plane's own code answers, unlike pings of HTTP/2, which a process
 * answers even when it no longer does anything else.
 */
export interface Pings {
  /** Starts to ping this stream, the first time at once. Calls `silent` when a ping is not answered in time. */
  start(stream: LinkStream, silent: () => void): void;
  pong(nonce: number, serverTimeMs: number): void;
  stop(): void;
}

export function createPings(needs: {
  /** Receives the wall time of the control plane, as it was half a round trip ago. */
  serverTime(serverTimeMs: number, roundTripMs: number): void;
  clock: Clock;
}): Pings {
  const { clock } = needs;
  /** The unanswered ping. */
  let ping: { nonce: number; sentAt: number } | null = null;
  let nonce = 0;
  let pingTimer: Timer | null = null;
  let pongTimer: Timer | null = null;

  function send(stream: LinkStream, silent: () => void): void {
    if (ping !== null) return;
    nonce += 1;
    ping = { nonce, sentAt: clock.monotonic() };
    stream.write({ ping: { nonce } });
    pongTimer = afterListening(clock, PONG_DEADLINE_MS, silent);
  }

  function stop(): void {
    pingTimer?.cancel();
    pongTimer?.cancel();
    ping = null;
  }

  return {
    start(stream, silent) {
      stop();
      send(stream, silent);
      pingTimer = clock.every(PING_PERIOD_MS, () => send(stream, silent));
    },
    pong(answered, serverTimeMs) {
      if (ping?.nonce !== answered) return;
      pongTimer?.cancel();
      needs.serverTime(serverTimeMs, clock.monotonic() - ping.sentAt);
      ping = null;
    },
    stop,
  };
}
