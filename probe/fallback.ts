import type { Clock, Timer } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import type { LinkState } from '../node-link/link-state.js';
import type { AssignmentsFile, LastKnown } from './assignments/file.js';

/** Starts checking from what is on the disk when no control plane answers after a start. */
export interface Fallback {
  stop(): void;
}

/**
 * A control plane that is there answers sooner, and what it says is better than anything that was kept: a monitor
 * that was deleted while this probe was away is not checked once more.
 */
const LOOK_MS = 5_000;

export function startFallback(options: {
  file: Pick<AssignmentsFile, 'load'>;
  linkState(): LinkState;
  /** Whether the control plane has told what to check since this process began. */
  told(): boolean;
  resume(known: LastKnown): void;
  clock: Clock;
  logger: Logger;
}): Fallback {
  const { logger } = options;

  function look(): void {
    // One that has answered is about to tell, and one that refuses this probe wants nothing checked by it.
    const answered = options.linkState() === 'welcomed' || options.linkState() === 'refused';
    if (answered && !options.told()) return;
    timer.cancel();
    if (options.told()) return;
    const known = options.file.load();
    if (known === null) return;
    options.resume(known);
    logger.warn({ assignments: known.assignments.length }, 'no control plane answers, checking what was last known');
  }

  const timer: Timer = options.clock.every(LOOK_MS, look);
  return { stop: () => timer.cancel() };
}
