import { backoffMs } from '../../../../kernel/backoff.js';
import type { Clock } from '../../../../kernel/clock.js';
import type { Random } from '../../../../kernel/random.js';
import { isDatabaseUnavailable } from '../../../storage/unavailable.js';

/** An election takes some seconds, and up to half a minute when a machine is lost. */
const HOLD_MS_MAX = 30_000;
const BACKOFF = { firstMs: 250, maxMs: 2_000 } as const;

interface HoldNeeds {
  clock: Pick<Clock, 'monotonic' | 'sleep'>;
  random: Pick<Random, 'fraction'>;
  /** Ends the hold. */
  signal: AbortSignal;
  /** Called once when the database is unavailable. Returns the function to call at the end of the hold. */
  onHold(): () => void;
}

/**
 * Calls `work` again while the database is unavailable, for 30 s at most, because an election is a pause and not a
 * failure. Throws any other error at once, and the last error after that time or when `signal` is aborted.
 */
export async function holdWhileUnavailable<T>(needs: HoldNeeds, work: () => Promise<T>): Promise<T> {
  const { clock, random, signal } = needs;
  let hold: { sinceMs: number; end(): void } | null = null;
  try {
    for (let failures = 1; ; failures++) {
      try {
        return await work();
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        hold ??= { sinceMs: clock.monotonic(), end: needs.onHold() };
        const leftMs = hold.sinceMs + HOLD_MS_MAX - clock.monotonic();
        if (leftMs <= 0 || signal.aborted) throw error;
        await clock.sleep(Math.min(leftMs, backoffMs(failures, random.fraction(), BACKOFF)), signal);
        if (signal.aborted) throw error;
      }
    }
  } finally {
    hold?.end();
  }
}
