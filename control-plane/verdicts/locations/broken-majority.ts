import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { isDuplicateKey, type RunTransaction } from '../../storage/transaction.js';
import { BROKEN_MAJORITY } from '../incident-kinds/location.js';
import { brokenNamedIn, type PlatformText } from './messages.js';
import type { PlatformAlerts } from './platform-alerts.js';

/**
 * Returns a function that keeps one alert open while too many locations look broken for any to be quarantined, and adds
 * to its message the locations that look broken later. `broken` are these locations; none when the broken ones are a minority.
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
  const named = new Set<string>();

  async function open(text: PlatformText): Promise<void> {
    const alert = { subject: BROKEN_MAJORITY, location: BROKEN_MAJORITY, severity: 'critical', text } as const;
    try {
      const opened = await runTransaction((tx) => alerts.open(tx, { ...alert, startedAtMs: clock.now() }));
      if (opened !== null) return;
    } catch (error) {
      // Another control plane opened the alert at the same time.
      if (!isDuplicateKey(error)) throw error;
    }
    await nameFurther(text);
  }

  /** Changes the message of the open alert if locations look broken that it does not name. Nobody is notified again. */
  async function nameFurther(text: PlatformText): Promise<void> {
    const alert = await alerts.latest(BROKEN_MAJORITY);
    if (alert?.open !== true || text.kind !== 'majority_broken') return;
    const known = brokenNamedIn(alert.message);
    const further = text.broken.filter((code) => !known.includes(code));
    if (further.length === 0) return;
    const event = `Further locations look broken: ${further.join(', ')}.`;
    const change = { alert, location: BROKEN_MAJORITY, severity: 'critical', text, event } as const;
    await runTransaction((tx) => alerts.change(tx, change));
  }

  return async (broken, voting) => {
    const shouldBeOpen = broken.length > 0;
    if (shouldBeOpen === isOpen && broken.every((code) => named.has(code))) return;
    if (shouldBeOpen) {
      await open({ kind: 'majority_broken', broken: [...broken].sort(), voting });
      logger.warn({ locations: broken, voting }, 'too many locations look broken; none is quarantined');
      for (const code of broken) named.add(code);
    } else {
      const alert = { subject: BROKEN_MAJORITY, location: BROKEN_MAJORITY, text: { kind: 'minority_broken' } as const };
      await runTransaction((tx) => alerts.resolve(tx, alert));
      named.clear();
    }
    isOpen = shouldBeOpen;
  };
}
