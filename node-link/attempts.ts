import { backoffMs } from '../kernel/backoff.js';
import type { Clock } from '../kernel/clock.js';
import type { Random } from '../kernel/random.js';

const BACKOFF = { firstMs: 500, maxMs: 30_000, jitter: 'full' } as const;
/** After a connection that lasted this long, the backoff starts again with its shortest delay. */
const STABLE_MS = 10_000;
const REFUSED_RETRY_MS = 5 * 60_000;
/**
 * The longest delay of the first attempt. Perhaps only this node has lost its connection, and its monitoring must not
 * stop for long. If the attempt fails, many nodes return.
 */
const FIRST_SPREAD_MS_MAX = 5_000;

/** How a connection ended. */
interface ConnectionEnd {
  refused: boolean;
  wasWelcomed: boolean;
  /** The delay that the control plane requests; 0 without one. */
  retryAfterMs: number;
}

/** Decides where and when a node connects next. The addresses of the control planes are tried in turn. */
export interface ConnectionAttempts {
  address(addresses: readonly string[]): string;
  nextAddress(): void;
  welcomed(): void;
  /** Returns the delay before the next attempt, which is made at the next address. */
  delayAfterMs(end: ConnectionEnd): number;
  /** Spreads the next attempts over at least this time. */
  spreadOver(spreadMs: number): void;
}

export function createConnectionAttempts(needs: { clock: Clock; random: Random }): ConnectionAttempts {
  const { clock, random } = needs;
  let turn = 0;
  let welcomedAt = 0;
  let spreadMs = 0;
  /** Failures in a row. The first one is the loss of a stable connection; a failed attempt is at least the second. */
  let failures = 1;
  return {
    address: (addresses) => addresses[turn % addresses.length] ?? '',
    nextAddress() {
      turn += 1;
    },
    welcomed() {
      welcomedAt = clock.monotonic();
    },
    spreadOver(ms) {
      spreadMs = ms;
    },
    delayAfterMs({ refused, wasWelcomed, retryAfterMs }) {
      turn += 1;
      failures = wasWelcomed && clock.monotonic() - welcomedAt >= STABLE_MS ? 1 : failures + 1;
      if (refused) return REFUSED_RETRY_MS;
      if (retryAfterMs > 0) return Math.min(retryAfterMs, REFUSED_RETRY_MS);
      const spread = wasWelcomed ? Math.min(spreadMs, FIRST_SPREAD_MS_MAX) : spreadMs;
      const fraction = random.fraction();
      return Math.max(backoffMs(failures, fraction, BACKOFF), Math.floor(fraction * spread));
    },
  };
}
