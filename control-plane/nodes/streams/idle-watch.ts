import type { Clock } from '../../../kernel/clock.js';
import { createMissedTime } from '../../../kernel/stalls/missed-time.js';

const IDLE_CHECK_MS = 1_000;

/**
 * Detects a silent peer. Time in which this process could not run does not count: what the peer sent waits unread, and
 * after a pause of the control plane every peer would look silent.
 */
export interface IdleWatch {
  heard(): void;
  /** While reading is suspended, silence does not count. */
  suspend(suspended: boolean): void;
  heardWithin(ms: number): boolean;
  stop(): void;
}

export function createIdleWatch(clock: Clock, idleMsMax: number, onIdle: () => void): IdleWatch {
  let heardAt = clock.monotonic();
  let suspended = false;
  const missedTime = createMissedTime(clock, IDLE_CHECK_MS);
  const heardWithin = (ms: number) => {
    // At most the silence itself: a peer that was heard after the pause has missed nothing.
    heardAt = Math.min(heardAt + missedTime(), clock.monotonic());
    return suspended || clock.monotonic() - heardAt <= ms;
  };
  const timer = clock.every(IDLE_CHECK_MS, () => {
    if (!heardWithin(idleMsMax)) onIdle();
  });
  return {
    heard() {
      heardAt = clock.monotonic();
    },
    suspend(now) {
      suspended = now;
      heardAt = clock.monotonic();
    },
    heardWithin,
    stop: () => timer.cancel(),
  };
}
