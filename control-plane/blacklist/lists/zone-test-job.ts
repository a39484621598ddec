import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { createPeriodicTask, type PeriodicTask } from '../../../kernel/periodic-task.js';
import type { ZoneChange, ZoneTests } from './zone-tests.js';

const HOUR_MS = 3_600_000;
/** The start does not wait for the first run; instant checks before it test the lists themselves. */
const FIRST_MS = 10_000;

/** Tests all lists hourly. Each control plane runs it, because the answer of a list can depend on who queries it. */
export function createZoneTestJob(needs: { zoneTests: ZoneTests; clock: Clock; logger: Logger }): PeriodicTask {
  const { zoneTests, clock, logger } = needs;
  return createPeriodicTask({
    clock,
    periodMs: HOUR_MS,
    firstMs: FIRST_MS,
    run: zoneTests.testAll,
    onFailure: (error) => logger.warn({ err: error }, 'testing the blacklists failed, retrying with the next checks'),
  });
}

/** Returns a listener that logs when a list starts failing its own tests, and when it passes them again. */
export function logListChanges(logger: Logger): (change: ZoneChange) => void {
  return ({ provider, to, reason }) => {
    const about = { list: provider.id, zone: provider.zone };
    if (to === 'failing')
      logger.warn({ ...about, reason }, 'a blacklist fails its own tests, excluding it from scores');
    else logger.info(about, 'a blacklist passes its own tests again');
  };
}
