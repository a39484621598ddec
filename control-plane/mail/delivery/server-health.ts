import { backoffMs } from '../../../kernel/backoff.js';
import type { Clock } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';

/** Maximum number of mails that a control plane sends at once; its pool has as many connections. */
const PLACES_MAX = 5;
/** Pauses while the mail server fails. Short, because people wait for mails. */
const PAUSE = { firstMs: 1_000, maxMs: 15_000 };

/**
 * How many mails may be sent at once. While the server fails, one mail at a time shows whether it is back, so that an
 * outage costs the same for one mail and for a thousand.
 */
export interface ServerHealth {
  /** 0 during a pause. */
  places(): number;
  /** The server answered to a mail. Returns true if it had failed before. */
  answered(): boolean;
  /** The server failed in an attempt that began at `startedAt` of the monotonic clock. */
  failed(startedAt: number): void;
}

export function createServerHealth({ clock, random }: { clock: Clock; random: Random }): ServerHealth {
  // One failure at the start, so that only one mail at a time meets a server that is down.
  let places = 1;
  let failures = 0;
  let failedAt = Number.NEGATIVE_INFINITY;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  return {
    places: () => (clock.monotonic() < pausedUntil ? 0 : places),
    answered() {
      const hadFailed = failures > 0;
      places = Math.min(PLACES_MAX, places * 2);
      failures = 0;
      return hadFailed;
    },
    failed(startedAt) {
      // Attempts that were under way together fail together, and count once.
      if (startedAt < failedAt) return;
      failedAt = clock.monotonic();
      failures += 1;
      places = 1;
      pausedUntil = failedAt + backoffMs(failures, random.fraction(), PAUSE);
    },
  };
}
