import type { Clock } from '../../../kernel/clock.js';

const IDLE_CHECK_MS = 1_000;

/** Detects a silent peer. */
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
  const heardWithin = (ms: number) => suspended || clock.monotonic() - heardAt <= ms;
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
