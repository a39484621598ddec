import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { LocationDirectory } from '../../nodes/nodes.js';
import { isDuplicateKey, type RunTransaction } from '../../storage/transaction.js';
import type { QuarantineDocument } from '../documents.js';
import type { PlatformAlerts } from './platform-alerts.js';
import { type LocationFailures, type LocationLoad, quarantineStep } from './quarantine.js';
import type { QuarantineStore } from './quarantine-store.js';

/** The quarantined locations. They are stored, and kept in memory for the votes. */
export interface Quarantines {
  has(code: string): boolean;
  list(): QuarantineDocument[];
  /** Reads the stored quarantines and the failures of all locations, and starts and ends quarantines. */
  update(): Promise<void>;
}

const NO_FAILURES: LocationFailures = { startedRecently: 0, failing: 0 };

export function createQuarantines(needs: {
  clock: Clock;
  logger: Logger;
  store: QuarantineStore;
  runTransaction: RunTransaction;
  locations: LocationDirectory;
  alerts: PlatformAlerts;
  loadOf(code: string): LocationLoad;
}): Quarantines {
  const { clock, logger, store, runTransaction, locations, alerts, loadOf } = needs;
  let known = new Map<string, QuarantineDocument>();

  async function updateOne(code: string, failures: LocationFailures): Promise<void> {
    const current = known.get(code) ?? null;
    const { canaryOk, connectedProbes } = locations.presence(code);
    const load = loadOf(code);
    const evidence = { failures, load, canaryOk, connected: connectedProbes > 0 };
    const step = quarantineStep(current, evidence, clock.now());
    if (step.to === 'trusted' && current !== null) await end(current);
    if (step.to !== 'quarantined') return;
    if (current === null) {
      await begin({ _id: code, ...step.quarantine, failing: failures.failing, monitors: load.monitors });
    } else await store.setRecovering(code, current.since_ms, step.quarantine.calm_since_ms);
  }

  async function begin(quarantine: QuarantineDocument): Promise<void> {
    const { _id: location, since_ms: startedAtMs, failing, monitors } = quarantine;
    // This process ignores the votes from here on, even if the write fails.
    known.set(location, quarantine);
    try {
      await runTransaction(async (tx) => {
        await store.insert(tx, quarantine);
        await alerts.open(tx, {
          subject: quarantineSubject(location),
          location,
          severity: 'warning',
          startedAtMs,
          text: { kind: 'quarantined', failing, monitors },
        });
      });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return; // Another control plane has started this quarantine.
    }
    logger.warn({ location, failing }, 'location quarantined; its votes are ignored');
  }

  async function end({ _id: code, since_ms }: QuarantineDocument): Promise<void> {
    await runTransaction(async (tx) => {
      if (!(await store.remove(tx, code, since_ms, clock.now()))) return;
      await alerts.resolve(tx, { subject: quarantineSubject(code), location: code, text: { kind: 'trusted' } });
    });
    known.delete(code);
    logger.info({ location: code }, 'quarantine ended; the votes of the location count again');
  }

  return {
    has: (code) => known.has(code),
    list: () => [...known.values()],
    async update() {
      known = new Map((await store.list()).map((one) => [one._id, one]));
      const failures = await store.failures([...known.keys()], clock.now());
      for (const code of new Set([...failures.keys(), ...known.keys()])) {
        await updateOne(code, failures.get(code) ?? NO_FAILURES);
      }
    },
  };
}

function quarantineSubject(code: string): string {
  return `quarantine:${code}`;
}
