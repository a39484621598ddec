import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { createPeriodicTask } from '../../../kernel/periodic-task.js';
import type { AssignmentSource, LocationDirectory } from '../../nodes/nodes.js';
import { isDuplicateKey, type RunTransaction } from '../../storage/transaction.js';
import type { PlatformAlerts } from './platform-alerts.js';
import { isSilent } from './silence.js';

/** Notifies operators once of a location that has no vote because none of its probes is connected. */
interface SilentLocations {
  /** Checks all locations once; `start` repeats it every few seconds. */
  tick(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/** After the start of a whole installation, probes need this time to connect. */
const GRACE_MS = 60_000;

const TICK_MS = 5_000;

export function createSilentLocations(needs: {
  clock: Clock;
  logger: Logger;
  runTransaction: RunTransaction;
  locations: LocationDirectory;
  assignments: Pick<AssignmentSource, 'assignments'>;
  alerts: PlatformAlerts;
}): SilentLocations {
  const { clock, locations, alerts, runTransaction } = needs;
  const startedAt = clock.monotonic();

  async function raise(code: string, sinceMs: number, monitors: number): Promise<void> {
    const subject = silenceSubject(code);
    const latest = await alerts.latest(subject);
    // An operator resolved the alert while the location was silent, so the operator knows.
    if (latest?.resolution === 'manual' && (latest.resolved_at_ms ?? 0) > sinceMs) return;
    try {
      await runTransaction((tx) =>
        alerts.open(tx, {
          subject,
          location: code,
          severity: 'warning',
          startedAtMs: sinceMs,
          text: { kind: 'silent', sinceMs, monitors },
        }),
      );
    } catch (error) {
      // Another control plane opened the alert at the same time.
      if (!isDuplicateKey(error)) throw error;
    }
  }

  async function tick(): Promise<void> {
    const isGraceOver = clock.monotonic() - startedAt >= GRACE_MS;
    const open = await alerts.unresolved();
    for (const code of locations.codes()) {
      const presence = locations.presence(code);
      const isOpen = open.has(silenceSubject(code));
      if (isOpen && presence.checkingProbes > 0) {
        await runTransaction((tx) =>
          alerts.resolve(tx, { subject: silenceSubject(code), location: code, text: { kind: 'back' } }),
        );
      }
      const monitors = needs.assignments.assignments(code).length;
      if (!isOpen && isGraceOver && isSilent(presence, monitors, clock.now())) {
        await raise(code, presence.lastCheckingAtMs ?? clock.now(), monitors);
      }
    }
  }

  return {
    tick,
    ...createPeriodicTask({
      clock,
      periodMs: TICK_MS,
      run: tick,
      onFailure: (error) =>
        needs.logger.error({ err: error }, `failed to check for silent locations, retrying in ${TICK_MS / 1_000} s`),
    }),
  };
}

function silenceSubject(code: string): string {
  return `location:${code}`;
}
