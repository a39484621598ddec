import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { STALL_MS } from '../../kernel/stalls/missed-time.js';
import { PAUSE_MS_MIN, type StallWatch } from '../../kernel/stalls/stall-watch.js';
import type { Checker } from './bounded.js';

/**
 * A check that is void this often has no result: a probe that is stalled again and again cannot see the target, and
 * more checks would only add to its load.
 */
const REPEATS_MAX = 3;

/** Returns a Checker that makes a check again, at once, if the probe was stalled during it. */
export function createStallProofChecker(needs: {
  checker: Checker;
  stalls: StallWatch;
  clock: Clock;
  logger: Logger;
}): Checker {
  const { checker, stalls, clock, logger } = needs;
  return {
    async run(request, signal) {
      const firstMs = clock.monotonic();
      let startedMs = firstMs;
      for (let repeats = 0; ; repeats += 1) {
        const outcome = await checker.run(request, signal);
        const isValid = stalls.longestSince(startedMs) < stallMsMin(request.timeoutMs);
        if (signal.aborted || isValid) {
          return startedMs === firstMs ? outcome : { ...outcome, voidMs: startedMs - firstMs };
        }
        if (repeats === REPEATS_MAX) {
          logger.warn('this probe could not run during any repeat of a check, which has no result');
          return { ...outcome, inconclusive: true };
        }
        startedMs = clock.monotonic();
      }
    },
  };
}

/** Returns the shortest stall that makes a check with this timeout void. It leaves the target half of the timeout. */
function stallMsMin(timeoutMs: number): number {
  return Math.min(STALL_MS, Math.max(PAUSE_MS_MIN, timeoutMs / 2));
}
