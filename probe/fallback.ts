import type { Clock, Timer } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import type { LinkState } from '../node-link/link-state.js';
import type { AssignmentsFile, SavedAssignments } from './assignments/file.js';

/** Starts to check the saved assignments if the control plane does not answer after the start of the probe. */
export interface Fallback {
  stop(): void;
}

/**
 * Time for the control plane to answer. Its assignments are better than saved ones, which may include a monitor that
 * was deleted while this probe was not running.
 */
const POLL_MS = 5_000;

export function startFallback(needs: {
  file: Pick<AssignmentsFile, 'load'>;
  linkState(): LinkState;
  /** Whether the control plane has sent assignments since this process started. */
  isAssigned(): boolean;
  resume(saved: SavedAssignments): void;
  clock: Clock;
  logger: Logger;
}): Fallback {
  const { logger } = needs;

  function poll(): void {
    // A control plane that welcomed the probe is about to send assignments. One that refused it wants no checks.
    const answered = needs.linkState() === 'welcomed' || needs.linkState() === 'refused';
    if (answered && !needs.isAssigned()) return;
    timer.cancel();
    if (needs.isAssigned()) return;
    const saved = needs.file.load();
    if (saved === null) return;
    needs.resume(saved);
    logger.warn(
      { assignments: saved.assignments.length },
      'the control plane does not answer, checking the saved assignments',
    );
  }

  const timer: Timer = needs.clock.every(POLL_MS, poll);
  return { stop: () => timer.cancel() };
}
