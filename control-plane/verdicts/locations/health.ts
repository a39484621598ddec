import type { Clock, Timer } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Random } from '../../../kernel/random.js';
import type { PlatformAlerts } from '../../incidents/incidents.js';
import type { AssignmentSource, LocationDirectory, ProbeCommands } from '../../nodes/nodes.js';
import { isDuplicateKey, type RunTransaction } from '../../storage/transaction.js';
import type { LocationTrust } from '../votes.js';
import { isDoubtful, type LocationFailures, locationLoad, quarantineStep, soundingClears } from './quarantine.js';
import type { QuarantineDocument, QuarantineStore } from './quarantine-store.js';

/** A location whose votes are void, for `/v1/admin/locations` and `/metrics`. */
export interface QuarantinedLocation {
  location: string;
  since_ms: number;
  /** Monitors that failed there, and those it had, when the quarantine began. */
  failing: number;
  monitors: number;
}

/**
 * Which locations can be believed. What is guaranteed: a location whose own network breaks, that has ten monitors
 * or more which another connected location sees up, pages nobody. Monitors that a majority decides cannot go down
 * by one location. Where fewer decide (`confirmations`), a failure that others contradict is held back, 75 s at
 * most, until a sample of the location's other monitors, checked for this purpose, has answered: mostly good, and
 * the failure counts within a second or two; mostly bad, and these failures themselves are what quarantines it.
 */
export interface LocationHealth extends LocationTrust {
  quarantined(): QuarantinedLocation[];
  /** Has other monitors of the location checked at once, to learn whether its network works. Returns at once. */
  sound(code: string): void;
  /** One look at all locations; `start` has it made each second. */
  tick(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface Sounding {
  askedAtMs: number;
  monitorIds: string[];
}

const TICK_MS = 1_000;
const SOUNDING_MONITORS_MAX = 20;

/** A look that took long is followed by a pause of so many times its duration, so that it never fills the database. */
const PAUSE_SHARE = 4;

/** A sounding without a clear answer is given up after this, and a new one may begin. */
const SOUNDING_MS_MAX = 15_000;

/** The list of a location's monitors is counted anew this often. */
const LOAD_KEPT_MS = 2_000;

export function createLocationHealth(deps: {
  clock: Clock;
  random: Random;
  logger: Logger;
  store: QuarantineStore;
  runTransaction: RunTransaction;
  locations: LocationDirectory;
  assignments: Pick<AssignmentSource, 'assignments'>;
  commands: ProbeCommands;
  alerts: PlatformAlerts;
}): LocationHealth {
  const { clock, store, locations } = deps;
  let quarantines = new Map<string, QuarantineDocument>();
  const soundings = new Map<string, Sounding>();
  const clearedAt = new Map<string, number>();
  const loads = new Map<string, { load: ReturnType<typeof locationLoad>; atMs: number }>();
  let timer: Timer | null = null;
  let running: Promise<void> = Promise.resolve();
  let busy = false;
  let pauseUntil = 0;

  function loadOf(code: string) {
    const known = loads.get(code);
    const nowMs = clock.monotonic();
    if (known !== undefined && nowMs - known.atMs < LOAD_KEPT_MS) return known.load;
    const load = locationLoad(deps.assignments.assignments(code).map((one) => one.intervalSeconds ?? 0));
    loads.set(code, { load, atMs: nowMs });
    return load;
  }

  async function judge(code: string, failures: LocationFailures): Promise<void> {
    const nowMs = clock.now();
    const known = quarantines.get(code) ?? null;
    const presence = locations.presence(code);
    const load = loadOf(code);
    const evidence = { failures, load, canaryOk: presence.canaryOk, connected: presence.connectedProbes > 0 };
    const step = quarantineStep(known, evidence, nowMs);
    if (step.to === 'trusted') await release(code);
    if (step.to !== 'quarantined') return;
    if (known === null) await quarantine({ _id: code, ...step.quarantine, ...failuresOf(failures, load.monitors) });
    else await store.setCalm(code, known.since_ms, step.quarantine.calm_since_ms);
  }

  async function quarantine(document: QuarantineDocument): Promise<void> {
    // The votes of this process are void from here on, whether or not the write succeeds.
    quarantines.set(document._id, document);
    try {
      await deps.runTransaction(async (tx) => {
        await store.insert(tx, document);
        await deps.alerts.open(tx, {
          subject: quarantineSubject(document._id),
          location: document._id,
          severity: 'warning',
          startedAtMs: document.since_ms,
          text: { kind: 'quarantined', failing: document.failing, monitors: document.monitors },
        });
      });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return; // Another control plane was first.
    }
    deps.logger.warn({ location: document._id, failing: document.failing }, 'location quarantined');
  }

  async function release(code: string): Promise<void> {
    const known = quarantines.get(code);
    if (known === undefined) return;
    await deps.runTransaction(async (tx) => {
      if (!(await store.remove(tx, code, known.since_ms, clock.now()))) return;
      await deps.alerts.resolve(tx, { subject: quarantineSubject(code), location: code, text: { kind: 'trusted' } });
    });
    quarantines.delete(code);
    deps.logger.info({ location: code }, 'location trusted again');
  }

  async function readSounding(code: string, sounding: Sounding): Promise<void> {
    const answers = await store.answers(code, sounding.monitorIds, sounding.askedAtMs);
    const clear = soundingClears({ asked: sounding.monitorIds.length, ...answers });
    if (clear) clearedAt.set(code, sounding.askedAtMs);
    if (clear || clock.now() - sounding.askedAtMs > SOUNDING_MS_MAX) soundings.delete(code);
  }

  async function tick(): Promise<void> {
    quarantines = new Map((await store.list()).map((one) => [one._id, one]));
    const failures = await store.failures([...quarantines.keys()], clock.now());
    for (const code of new Set([...failures.keys(), ...quarantines.keys()])) {
      await judge(code, failures.get(code) ?? { begun: 0, failing: 0 });
    }
    for (const [code, sounding] of soundings) await readSounding(code, sounding);
  }

  async function guardedTick(): Promise<void> {
    if (busy) return;
    busy = true;
    const startedAt = clock.monotonic();
    try {
      await tick();
    } catch (error) {
      deps.logger.error({ err: error }, 'locations could not be judged; the next look tries again');
    } finally {
      busy = false;
      pauseUntil = clock.monotonic() + (clock.monotonic() - startedAt) * PAUSE_SHARE;
    }
  }

  return {
    presence: (code) => locations.presence(code),
    isQuarantined: (code) => quarantines.has(code),
    isDoubted(code, sinceMs) {
      const presence = locations.presence(code);
      const known = {
        monitors: loadOf(code).monitors,
        canaryOk: presence.canaryOk,
        clearedAtMs: clearedAt.get(code) ?? null,
      };
      return isDoubtful(known, sinceMs, clock.now());
    },
    quarantined: () =>
      [...quarantines.values()].map(({ _id, since_ms, failing, monitors }) => ({
        location: _id,
        since_ms,
        failing,
        monitors,
      })),
    sound(code) {
      if (soundings.has(code)) return;
      const monitorIds = sample(
        deps.assignments.assignments(code).map((one) => one.monitorId ?? ''),
        SOUNDING_MONITORS_MAX,
        deps.random,
      );
      const askedAtMs = clock.now();
      soundings.set(code, { askedAtMs, monitorIds });
      for (const monitorId of monitorIds) {
        deps.commands.runNow({ monitorId, locations: [code], slotMs: askedAtMs, reason: 'confirm' });
      }
    },
    tick,
    async start() {
      await tick();
      timer = clock.every(TICK_MS, () => {
        if (!busy && clock.monotonic() >= pauseUntil) running = guardedTick();
      });
    },
    async stop() {
      timer?.cancel();
      await running;
    },
  };
}

function quarantineSubject(code: string): string {
  return `quarantine:${code}`;
}

function failuresOf(failures: LocationFailures, monitors: number): { failing: number; monitors: number } {
  return { failing: failures.failing, monitors };
}

/** `count` of the items, each as likely as any other. */
function sample<T>(items: T[], count: number, random: Random): T[] {
  for (let index = 0; index < Math.min(count, items.length); index++) {
    const other = index + Math.floor(random.fraction() * (items.length - index));
    const chosen = items[other];
    const moved = items[index];
    if (chosen === undefined || moved === undefined) break;
    items[index] = chosen;
    items[other] = moved;
  }
  return items.slice(0, count);
}
