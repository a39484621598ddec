import { backoffMs } from '../kernel/backoff.js';
import type { Clock } from '../kernel/clock.js';
import type { Random } from '../kernel/random.js';

const BACKOFF = { firstMs: 500, maxMs: 30_000, jitter: 'full' } as const;
/** After a connection that lasted this long, the backoff starts again with its shortest delay. */
const STABLE_MS = 10_000;
const REFUSED_RETRY_MS = 5 * 60_000;

/** Decides where and when a node connects next. The addresses of the control planes are tried in turn. */
export interface ConnectionAttempts {
  address(addresses: readonly string[]): string;
  nextAddress(): void;
  welcomed(): void;
  /** Returns the delay before the next attempt, which is made at the next address. */
  delayAfterMs(end: { refused: boolean; wasWelcomed: boolean }): number;
}

export function createConnectionAttempts(needs: { clock: Clock; random: Random }): ConnectionAttempts {
  const { clock, random } = needs;
  let turn = 0;
  let welcomedAt = 0;
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
    delayAfterMs({ refused, wasWelcomed }) {
      turn += 1;
      failures = wasWelcomed && clock.monotonic() - welcomedAt >= STABLE_MS ? 1 : failures + 1;
      return refused ? REFUSED_RETRY_MS : backoffMs(failures, random.fraction(), BACKOFF);
    },
  };
}
