import type { Clock, Timer } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { createPeriodicTask } from '../../../kernel/periodic-task.js';
import { createMissedTime } from '../../../kernel/stalls/missed-time.js';
import type { IncidentDocument } from '../../incidents/documents.js';
import type { AssignmentSource, LocationDirectory } from '../../nodes/nodes.js';
import { ABSENT_AFTER_MS } from '../../nodes/nodes.js';
import type { RunTransaction } from '../../storage/transaction.js';
import { isDatabaseUnavailable } from '../../storage/unavailable.js';
import type { PlatformAlerts } from './platform-alerts.js';
import { type Silence, silenceOf } from './silence.js';
import { createSilenceAlerts, silenceSubject } from './silence-alerts.js';
import type { Unchecked } from './unchecked-monitors.js';

/**
 * Notifies operators once of a location that has monitors and no probe that may check them, for whatever reason: its
 * probes are disconnected, drained or revoked, or it never had one.
 */
interface SilentLocations {
  /** Checks all locations once; `start` repeats it every few seconds. */
  tick(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

interface SilentLocationsNeeds {
  clock: Clock;
  logger: Logger;
  runTransaction: RunTransaction;
  locations: LocationDirectory;
  assignments: Pick<AssignmentSource, 'monitors'>;
  /** Returns the monitors of the location that no location can check. */
  unchecked(code: string, nowMs: number): Promise<Unchecked>;
  alerts: PlatformAlerts;
}

/**
 * After the start of a whole installation, a stall of this process, or an outage of the database, which ends the streams
 * of all probes, they need this time to connect.
 */
const GRACE_MS = 60_000;
const TICK_MS = 5_000;
/** How often an open alert is brought up to date with the monitors that no location can check. */
const UPDATE_MS = 60_000;

export function createSilentLocations(needs: SilentLocationsNeeds): SilentLocations {
  const { clock, locations } = needs;
  const alerts = createSilenceAlerts(needs);
  let listeningSince = clock.monotonic();
  const silences = new Map<string, Silence>();
  const updatedAt = new Map<string, number>();

  async function check(code: string, isOpen: boolean): Promise<void> {
    const presence = locations.presence(code);
    const nowMs = clock.now();
    const monitors = countOf(needs.assignments.monitors(code));
    const silence = silenceOf(silences.get(code) ?? null, presence, monitors, nowMs);
    if (silence === null) {
      silences.delete(code);
      updatedAt.delete(code);
      if (isOpen) await alerts.resolve(code, presence.checkingProbes > 0 ? { kind: 'back' } : { kind: 'unassigned' });
      return;
    }
    silences.set(code, silence);
    const isGraceOver = clock.monotonic() - listeningSince >= GRACE_MS;
    if (!isGraceOver || nowMs - silence.sinceMs < ABSENT_AFTER_MS) return;
    if (clock.monotonic() - (updatedAt.get(code) ?? Number.NEGATIVE_INFINITY) < UPDATE_MS && isOpen) return;
    updatedAt.set(code, clock.monotonic());
    const latest = await alerts.latest(code);
    if (isOpen) await alerts.nameUnchecked(code, silence, monitors, latest);
    else if (!isKnown(latest, presence.lastCheckingAtMs)) await alerts.raise(code, silence, monitors);
  }

  async function tick(): Promise<void> {
    const open = await needs.alerts.unresolved();
    for (const code of locations.codes()) await check(code, open.has(silenceSubject(code)));
  }

  const task = createPeriodicTask({
    clock,
    periodMs: TICK_MS,
    run: tick,
    onFailure(error) {
      if (isDatabaseUnavailable(error)) listeningSince = clock.monotonic();
      needs.logger.error({ err: error }, `failed to check for silent locations, retrying in ${TICK_MS / 1_000} s`);
    },
  });
  let stallTimer: Timer | null = null;
  return {
    tick,
    start() {
      // A timer of its own, because a slow tick is not a stall.
      const missedTime = createMissedTime(clock, TICK_MS);
      stallTimer = clock.every(TICK_MS, () => {
        if (missedTime() > 0) listeningSince = clock.monotonic();
      });
      task.start();
    },
    async stop() {
      stallTimer?.cancel();
      await task.stop();
    },
  };
}

function countOf(items: Iterable<unknown>): number {
  let count = 0;
  for (const _item of items) count += 1;
  return count;
}

/** Whether an operator resolved the alert since the last probe of the location, and so knows of it. */
function isKnown(latest: IncidentDocument | null, lastCheckingAtMs: number | null): boolean {
  return latest?.resolution === 'manual' && (latest.resolved_at_ms ?? 0) > (lastCheckingAtMs ?? 0);
}
