import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { createRounds, type Rounds } from '../../../kernel/rounds.js';
import type { ZoneChange, ZoneTests } from './zone-tests.js';

const HOUR_MS = 3_600_000;
/** A start is not held up by it, and whoever looks at once sees what has been tested with his own look-up. */
const FIRST_MS = 10_000;

/** Tries each list with its test entries, hourly. Each control plane does: what a list says depends on who asks. */
export function createListTests(parts: { zoneTests: ZoneTests; clock: Clock; logger: Logger }): Rounds {
  const { zoneTests, clock, logger } = parts;
  return createRounds({
    clock,
    periodMs: HOUR_MS,
    firstMs: FIRST_MS,
    round: zoneTests.testAll,
    failed: (error) =>
      logger.warn({ err: error }, 'blacklists could not be tested; they are tested beside each look-up'),
  });
}

/** Says in the log that a list fails its own tests, and that it passes them again. */
export function logListChanges(logger: Logger): (change: ZoneChange) => void {
  return ({ provider, to, reason }) => {
    const about = { list: provider.id, zone: provider.zone };
    if (to === 'failing')
      logger.warn({ ...about, reason }, 'a blacklist fails its own tests and is left out of scores');
    else logger.info(about, 'a blacklist passes its own tests again');
  };
}
