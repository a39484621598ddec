import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Random } from '../../../kernel/random.js';
import type { AssignmentSource, LocationDirectory, ProbeCommands } from '../../nodes/nodes.js';
import { ABSENT_AFTER_MS, isPresent } from '../../nodes/nodes.js';
import type { RunTransaction } from '../../storage/transaction.js';
import type { LocationTrust } from '../rule/votes.js';
import { createThrottledTask } from '../throttled-task.js';
import type { QuarantinedLocation } from '../verdicts.js';
import { isDoubtful } from './doubt.js';
import { createOwners, type Ownership } from './owners.js';
import type { PlatformAlerts } from './platform-alerts.js';
import { type LocationLoad, locationLoad } from './quarantine.js';
import type { QuarantineStore } from './quarantine-store.js';
import { createQuarantines } from './quarantines.js';
import { createSpotChecks } from './spot-checks.js';

/**
 * Decides which locations can be trusted. It guarantees that locations with a broken network cause no notification if
 * they are a minority, of all locations and of those of the monitor, if at least ten monitors of each are seen up by
 * another location, and if these are of at least three owners, or of every owner where fewer have monitors there. A monitor that a majority decides cannot go down by one location. Where fewer locations decide
 * (`confirmations`), a failure that others contradict is held back for at most 75 s, until a spot check of other monitors
 * of the location is complete: if most succeed, the failure counts within two seconds; if most fail, these failures
 * quarantine the location.
 */
export interface LocationHealth extends LocationTrust {
  quarantined(): QuarantinedLocation[];
  /** Checks other monitors of the location, to find out whether its network works. Returns at once. */
  spotCheck(code: string): void;
  /** Checks all locations once; `start` repeats it each second. */
  tick(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const TICK_MS = 1_000;

/** The load of a location is cached for this time. */
const LOAD_KEPT_MS = 2_000;

export function createLocationHealth(needs: {
  clock: Clock;
  random: Random;
  logger: Logger;
  store: QuarantineStore;
  runTransaction: RunTransaction;
  locations: LocationDirectory;
  assignments: Pick<AssignmentSource, 'monitors'>;
  commands: ProbeCommands;
  alerts: PlatformAlerts;
  /** Returns who owns these workspaces. */
  ownersOf(workspaceIds: readonly string[]): Promise<Ownership[]>;
}): LocationHealth {
  const { clock, logger, locations } = needs;
  const loadOf = createLoadCache(needs);
  const startedAt = clock.monotonic();
  // After the start of a control plane, probes take some seconds to connect, the broken ones perhaps first.
  const isLocationPresent = (code: string) =>
    clock.monotonic() - startedAt < ABSENT_AFTER_MS || isPresent(locations.presence(code), clock.now());
  const quarantines = createQuarantines({
    ...needs,
    owners: createOwners(needs),
    loadOf,
    isPresent: isLocationPresent,
  });
  const spotChecks = createSpotChecks(needs);

  async function tick(): Promise<void> {
    await quarantines.update();
    await spotChecks.readResults();
  }

  const task = createThrottledTask(clock, TICK_MS, tick, (error) =>
    logger.error({ err: error }, `failed to check the locations, retrying in ${TICK_MS / 1_000} s`),
  );
  return {
    hasProbe: (code) => locations.presence(code).checkingProbes > 0,
    isPresent: isLocationPresent,
    isQuarantined: quarantines.has,
    isDoubted(code, sinceMs) {
      // For monitors that count its votes because too few of their locations would be left.
      if (quarantines.has(code)) return true;
      const location = {
        monitors: loadOf(code).monitors,
        canaryOk: locations.presence(code).canaryOk,
        clearedAtMs: spotChecks.passedAtMs(code),
      };
      return isDoubtful(location, sinceMs, clock.now());
    },
    quarantined: () =>
      quarantines.list().map(({ _id: location, since_ms, failing, monitors }) => {
        return { location, since_ms, failing, monitors };
      }),
    spotCheck: spotChecks.start,
    tick,
    async start() {
      await tick();
      task.start();
    },
    stop: task.stop,
  };
}

/** Returns a function that counts the monitors of a location and caches the result. */
function createLoadCache({
  clock,
  assignments,
}: {
  clock: Clock;
  assignments: Pick<AssignmentSource, 'monitors'>;
}): (code: string) => LocationLoad {
  const loads = new Map<string, { load: LocationLoad; atMs: number }>();
  return (code) => {
    const known = loads.get(code);
    const nowMs = clock.monotonic();
    if (known !== undefined && nowMs - known.atMs < LOAD_KEPT_MS) return known.load;
    const load = locationLoad(assignments.monitors(code));
    loads.set(code, { load, atMs: nowMs });
    return load;
  };
}
