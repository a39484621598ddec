import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';

const LOG_MS = 60_000;

/** Counts connections that found no place or lost it. */
export interface TurnedAway {
  count(): void;
  /** Returns how many there were since the start of the process. */
  total(): number;
  stop(): void;
}

/** Writes one warning with their number for all of a minute. `message` says which connections were ended, and why. */
export function countTurnedAway(
  { clock, logger }: { clock: Pick<Clock, 'every'>; logger: Pick<Logger, 'warn'> },
  message: string,
): TurnedAway {
  let connections = 0;
  let total = 0;
  const timer = clock.every(LOG_MS, () => {
    if (connections === 0) return;
    logger.warn({ connections }, message);
    connections = 0;
  });
  return {
    count() {
      connections += 1;
      total += 1;
    },
    total: () => total,
    stop: () => timer.cancel(),
  };
}
