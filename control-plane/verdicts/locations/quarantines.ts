import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { LocationDirectory } from '../../nodes/nodes.js';
import { minorityOf } from '../../results/results.js';
import type { RunTransaction } from '../../storage/transaction.js';
import type { QuarantineDocument } from '../documents.js';
import { createBrokenMajority } from './broken-majority.js';
import type { Owners } from './owners.js';
import type { PlatformAlerts } from './platform-alerts.js';
import {
  evidenceByOwner,
  type Failures,
  type LocationLoad,
  QUARANTINE_MONITORS_MIN,
  quarantineStep,
} from './quarantine.js';
import type { QuarantineStore } from './quarantine-store.js';
import { createQuarantineWrites } from './quarantine-writes.js';

/**
 * The quarantined locations. They are stored, and kept in memory for the votes. Only a minority of the locations that
 * can vote is quarantined at any time: when more look broken, none is, and one alert says so.
 */
export interface Quarantines {
  has(code: string): boolean;
  list(): QuarantineDocument[];
  /** Reads the stored quarantines and the failures of all locations, and starts and ends quarantines. */
  update(): Promise<void>;
}

const NO_FAILURES: ReadonlyMap<string, Failures> = new Map();

export function createQuarantines(needs: {
  clock: Clock;
  logger: Logger;
  store: QuarantineStore;
  runTransaction: RunTransaction;
  locations: LocationDirectory;
  alerts: PlatformAlerts;
  owners: Owners;
  loadOf(code: string): LocationLoad;
  /** Whether the location could vote within the last 30 s. */
  isPresent(code: string): boolean;
}): Quarantines {
  const { clock, store, locations, loadOf, owners } = needs;
  const writes = createQuarantineWrites(needs);
  const alertOfMajority = createBrokenMajority(needs);
  let broken = new Map<string, QuarantineDocument>();
  let quarantined: ReadonlySet<string> = new Set();

  /** Returns the locations that can vote or look broken. */
  const voting = () => [...new Set([...locations.codes().filter(needs.isPresent), ...broken.keys()])];

  function recount(): void {
    quarantined = minorityOf([...broken.keys()], voting());
  }

  async function stepOf(code: string, failures: ReadonlyMap<string, Failures>) {
    const { canaryOk, checkingProbes } = locations.presence(code);
    const load = loadOf(code);
    const ownerOf = await owners.of(new Set([...load.workspaces.keys(), ...failures.keys()]));
    const evidence = {
      owners: evidenceByOwner(failures, load, ownerOf),
      canaryOk,
      connected: checkingProbes > 0,
    };
    return quarantineStep(broken.get(code) ?? null, evidence, clock.now());
  }

  /** Notes which locations look broken. This process uses the new ones from here on, even if a write fails. */
  async function note(failures: ReadonlyMap<string, ReadonlyMap<string, Failures>>): Promise<void> {
    const writing: (() => Promise<void>)[] = [];
    const many = [...failures].filter(
      ([, byWorkspace]) => sumOf(byWorkspace, ({ startedRecently }) => startedRecently) >= QUARANTINE_MONITORS_MIN,
    );
    for (const code of new Set([...many.map(([code]) => code), ...broken.keys()])) {
      const found = failures.get(code) ?? NO_FAILURES;
      const step = await stepOf(code, found);
      const current = broken.get(code);
      if (step.to === 'trusted' && current !== undefined) {
        broken.delete(code);
        writing.push(() => writes.end(current));
      } else if (step.to === 'quarantined' && current === undefined) {
        const { monitors } = loadOf(code);
        const failing = sumOf(found, (one) => one.failing);
        const fresh = { _id: code, ...step.quarantine, failing, monitors, applied_at_ms: null };
        broken.set(code, fresh);
        writing.push(() => store.insert(fresh));
      } else if (step.to === 'quarantined' && current !== undefined) {
        const { calm_since_ms } = step.quarantine;
        writing.push(() => store.setRecovering(code, current.since_ms, calm_since_ms));
      }
    }
    recount();
    for (const write of writing) await write();
  }

  return {
    has: (code) => quarantined.has(code),
    list: () => [...broken.values()].filter(({ _id }) => quarantined.has(_id)),
    async update() {
      broken = new Map((await store.list()).map((one) => [one._id, one]));
      recount();
      await note(await store.failures(clock.now()));
      await writes.align([...broken.values()], quarantined, voting().length);
      await alertOfMajority(quarantined.size > 0 ? [] : [...broken.keys()], voting().length);
    },
  };
}

function sumOf(byWorkspace: ReadonlyMap<string, Failures>, of: (failures: Failures) => number): number {
  let sum = 0;
  for (const failures of byWorkspace.values()) sum += of(failures);
  return sum;
}
