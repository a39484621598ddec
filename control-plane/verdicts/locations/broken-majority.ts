import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { isDuplicateKey, type RunTransaction } from '../../storage/transaction.js';
import { BROKEN_MAJORITY } from '../incident-kinds/location.js';
import type { PlatformAlerts } from './platform-alerts.js';

/**
 * Returns a function that keeps one alert open while too many locations look broken for any to be quarantined.
 * `broken` are these locations; none when the broken ones are a minority.
 */
export function createBrokenMajority(needs: {
  clock: Clock;
  logger: Logger;
  runTransaction: RunTransaction;
  alerts: PlatformAlerts;
}): (broken: readonly string[], voting: number) => Promise<void> {
  const { clock, logger, runTransaction, alerts } = needs;
  // null: an earlier process may have opened the alert.
  let isOpen: boolean | null = null;

  async function open(broken: readonly string[], voting: number): Promise<void> {
    const text = { kind: 'majority_broken', broken: [...broken].sort(), voting } as const;
    const alert = { subject: BROKEN_MAJORITY, location: BROKEN_MAJORITY, severity: 'critical', text } as const;
    try {
      await runTransaction((tx) => alerts.open(tx, { ...alert, startedAtMs: clock.now() }));
    } catch (error) {
      // Another control plane opened the alert at the same time.
      if (!isDuplicateKey(error)) throw error;
    }
    logger.warn({ locations: broken, voting }, 'too many locations look broken; none is quarantined');
  }

  return async (broken, voting) => {
    const shouldBeOpen = broken.length > 0;
    if (shouldBeOpen === isOpen) return;
    if (shouldBeOpen) await open(broken, voting);
    else {
      const alert = { subject: BROKEN_MAJORITY, location: BROKEN_MAJORITY, text: { kind: 'minority_broken' } as const };
      await runTransaction((tx) => alerts.resolve(tx, alert));
    }
    isOpen = shouldBeOpen;
  };
}
