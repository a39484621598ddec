import type { Clock, Timer } from '../kernel/clock.js';
import type { LinkStream } from './stream.js';

const PING_PERIOD_MS = 10_000;
const PONG_DEADLINE_MS = 10_000;

/**
 * Asks the other end of a stream whether it is there. Answered by the control plane's own code, unlike HTTP/2's ping,
 * which a process answers that does nothing else.
 */
export interface Pings {
  /** From now on on this stream, the first at once. `silent` is called when one was not answered in time. */
  start(stream: LinkStream, silent: () => void): void;
  pong(nonce: number, serverTimeMs: number): void;
  stop(): void;
}

export function createPings(options: {
  /** The other end's wall time, as read half a round trip ago. */
  serverTime(serverTimeMs: number, roundTripMs: number): void;
  clock: Clock;
}): Pings {
  const { clock } = options;
  /** The one that waits for its answer. */
  let ping: { nonce: number; sentAt: number } | null = null;
  let nonce = 0;
  let pingTimer: Timer | null = null;
  let pongTimer: Timer | null = null;

  function send(stream: LinkStream, silent: () => void): void {
    if (ping !== null) return;
    nonce += 1;
    ping = { nonce, sentAt: clock.monotonic() };
    stream.write({ ping: { nonce } });
    pongTimer = clock.after(PONG_DEADLINE_MS, silent);
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
      options.serverTime(serverTimeMs, clock.monotonic() - ping.sentAt);
      ping = null;
    },
    stop,
  };
}
