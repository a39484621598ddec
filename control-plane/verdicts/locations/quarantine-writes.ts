import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { isDuplicateKey, type RunTransaction } from '../../storage/transaction.js';
import type { QuarantineDocument } from '../documents.js';
import type { PlatformAlerts } from './platform-alerts.js';
import { appliedAtMs, type QuarantineStore } from './quarantine-store.js';

/**
 * The changes of one quarantine, each with its alert in one transaction. They do nothing if another control plane has
 * made the change.
 */
export interface QuarantineWrites {
  /**
   * Of the locations that look broken, makes the votes of those in `quarantined` void. Makes the votes of the others
   * count, because so many of the `voting` locations look broken that they are no minority.
   */
  align(broken: readonly QuarantineDocument[], quarantined: ReadonlySet<string>, voting: number): Promise<void>;
  /** Makes the votes of the location count because it no longer looks broken. */
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

  async function apply(quarantine: QuarantineDocument): Promise<void> {
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
  }

  async function release(quarantine: QuarantineDocument, broken: number, voting: number): Promise<void> {
    const { _id: location } = quarantine;
    const text = { kind: 'released', broken, voting } as const;
    const released = await runTransaction(async (tx) => {
      if (!(await store.release(tx, quarantine, clock.now()))) return false;
      await alerts.resolve(tx, { subject: subjectOf(location), location, text });
      return true;
    });
    if (released) logger.warn({ location, broken, voting }, 'quarantine lifted: too many locations look broken');
  }

  return {
    async align(broken, quarantined, voting) {
      for (const quarantine of broken) {
        const isApplied = appliedAtMs(quarantine) !== null;
        if (quarantined.has(quarantine._id) === isApplied) continue;
        if (isApplied) await release(quarantine, broken.length, voting);
        else await apply(quarantine);
      }
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
