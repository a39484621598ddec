import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { isDuplicateKey, type RunTransaction } from '../../storage/transaction.js';
import type { QuarantineDocument } from '../documents.js';
import type { PlatformAlerts } from './platform-alerts.js';
import type { QuarantineStore } from './quarantine-store.js';

/**
 * The changes of one quarantine, each with its alert in one transaction. They do nothing if another control plane has
 * made the change.
 */
export interface QuarantineWrites {
  /** Makes the votes of the location void. */
  apply(quarantine: QuarantineDocument): Promise<void>;
  /** Makes its votes count because `broken` of `voting` locations look broken, which is no minority. */
  release(quarantine: QuarantineDocument, broken: number, voting: number): Promise<void>;
  /** Makes its votes count because it no longer looks broken. */
  end(quarantine: QuarantineDocument): Promise<void>;
}

export function createQuarantineWrites(needs: {
  clock: Clock;
  logger: Logger;
  store: QuarantineStore;
  runTransaction: RunTransaction;
  alerts: PlatformAlerts;
}): QuarantineWrites {
  const { clock, logger, store, runTransaction, alerts } = needs;
  return {
    async apply(quarantine) {
      const { _id: location, failing, monitors } = quarantine;
      const nowMs = clock.now();
      const alert = { location, severity: 'warning' as const, startedAtMs: nowMs };
      const applied = await runTransaction(async (tx) => {
        if (!(await store.apply(tx, quarantine, nowMs))) return false;
        const text = { kind: 'quarantined', failing, monitors } as const;
        await alerts.open(tx, { ...alert, subject: subjectOf(location), text });
        return true;
      }).catch(ignoreDuplicate);
      if (applied) logger.warn({ location, failing }, 'location quarantined; its votes are ignored');
    },
    async release(quarantine, broken, voting) {
      const { _id: location } = quarantine;
      const released = await runTransaction(async (tx) => {
        if (!(await store.release(tx, quarantine, clock.now()))) return false;
        await alerts.resolve(tx, {
          subject: subjectOf(location),
          location,
          text: { kind: 'released', broken, voting },
        });
        return true;
      });
      if (released) logger.warn({ location, broken, voting }, 'quarantine lifted: too many locations look broken');
    },
    async end(quarantine) {
      const { _id: location } = quarantine;
      const ended = await runTransaction(async (tx) => {
        if (!(await store.remove(tx, quarantine, clock.now()))) return false;
        await alerts.resolve(tx, { subject: subjectOf(location), location, text: { kind: 'trusted' } });
        return true;
      });
      if (ended) logger.info({ location }, 'the location no longer looks broken; its votes count');
    },
  };
}

/** Another control plane opened the alert of this quarantine at the same time. */
function ignoreDuplicate(error: unknown): false {
  if (isDuplicateKey(error)) return false;
  throw error;
}

function subjectOf(code: string): string {
  return `quarantine:${code}`;
}
