import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { createRounds } from '../../../kernel/rounds.js';
import type { PlatformAlerts } from '../../incidents/incidents.js';
import type { AssignmentSource, LocationDirectory, LocationPresence } from '../../nodes/nodes.js';
import { isDuplicateKey, type RunTransaction } from '../../storage/transaction.js';

/** Tells operators once of a location that has lost its vote because no probe of it is connected. */
export interface SilentLocations {
  /** One look at all locations; `start` has it made each few seconds. */
  tick(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/** A location without a connected probe for so long is silent: longer than a reconnect or a deployment takes. */
export const SILENT_AFTER_MS = 30_000;

/** After a start of everything the probes need time to come back. */
export const SILENT_GRACE_MS = 60_000;

const TICK_MS = 5_000;

/**
 * Pure. A location that never had a probe is not set up rather than silent, and one without monitors is missed
 * by nobody.
 */
export function isSilent(
  presence: Pick<LocationPresence, 'connectedProbes' | 'lastConnectedAtMs'>,
  monitors: number,
  nowMs: number,
): boolean {
  if (presence.connectedProbes > 0 || presence.lastConnectedAtMs === null || monitors === 0) return false;
  return nowMs - presence.lastConnectedAtMs >= SILENT_AFTER_MS;
}

export function createSilentLocations(deps: {
  clock: Clock;
  logger: Logger;
  runTransaction: RunTransaction;
  locations: LocationDirectory;
  assignments: Pick<AssignmentSource, 'assignments'>;
  alerts: PlatformAlerts;
}): SilentLocations {
  const { clock, locations, alerts } = deps;
  const startedAt = clock.monotonic();

  async function raise(code: string, sinceMs: number, monitors: number): Promise<void> {
    const subject = silenceSubject(code);
    const latest = await alerts.latest(subject);
    // Resolved by hand while it lasts: whoever did that knows.
    if (latest?.resolution === 'manual' && (latest.resolved_at_ms ?? 0) > sinceMs) return;
    try {
      await deps.runTransaction((tx) =>
        alerts.open(tx, {
          subject,
          location: code,
          severity: 'warning',
          startedAtMs: sinceMs,
          text: { kind: 'silent', sinceMs, monitors },
        }),
      );
    } catch (error) {
      // Another control plane told them at the same moment.
      if (!isDuplicateKey(error)) throw error;
    }
  }

  async function tick(): Promise<void> {
    const settled = clock.monotonic() - startedAt >= SILENT_GRACE_MS;
    const open = await alerts.unresolved();
    for (const code of locations.codes()) {
      const presence = locations.presence(code);
      const isOpen = open.has(silenceSubject(code));
      if (isOpen && presence.connectedProbes > 0) {
        await deps.runTransaction((tx) =>
          alerts.resolve(tx, { subject: silenceSubject(code), location: code, text: { kind: 'back' } }),
        );
      }
      const monitors = deps.assignments.assignments(code).length;
      if (!isOpen && settled && isSilent(presence, monitors, clock.now())) {
        await raise(code, presence.lastConnectedAtMs ?? clock.now(), monitors);
      }
    }
  }

  return {
    tick,
    ...createRounds({
      clock,
      periodMs: TICK_MS,
      round: tick,
      failed: (error) =>
        deps.logger.error({ err: error }, 'silent locations could not be told; the next look tries again'),
    }),
  };
}

function silenceSubject(code: string): string {
  return `location:${code}`;
}
