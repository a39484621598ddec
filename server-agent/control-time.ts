import type { Clock, Timer } from '../kernel/clock.js';
import { createServerTime, type ServerTime } from '../node-link/server-time.js';
import type { TimeFile } from './time-file.js';

/**
 * The control plane's time, also while it is unreachable and across restarts of the agent. It advances with the boot
 * clock, which cannot be set. Until the machine restarts, the known time stays correct even if the wall clock is set.
 */
export interface ControlTime {
  serverTime: ServerTime;
  /** False if the only source so far is this machine's wall clock. */
  isKnown(): boolean;
  observe(serverTimeMs: number, roundTripMs: number): void;
  /** The timestamp of the newest sample of an earlier process. */
  newestSampleMs: number;
  stop(): void;
}

export interface ControlTimeNeeds {
  file: TimeFile;
  /** Identifies this boot of the machine. Empty if the system has no boot ids. */
  bootId: string;
  /** Its `monotonic` counts from the start of the machine. While `bootId` is empty, any start will do. */
  bootClock: Clock;
  newestSampleMs(): number;
}

const SAVE_PERIOD_MS = 60_000;
/** If the control plane is unreachable and no time was saved, the wall clock is used after this time. */
const WALL_CLOCK_AFTER_MS = 60_000;

export function createControlTime(needs: ControlTimeNeeds): ControlTime {
  const { file, bootId, bootClock } = needs;
  const serverTime = createServerTime(bootClock);
  const startedAt = bootClock.monotonic();
  const saved = file.load();
  let known = saved !== null;
  if (saved !== null) {
    const sameBoot = bootId !== '' && saved.bootId === bootId;
    serverTime.assume(sameBoot ? saved.bootedAtMs + bootClock.monotonic() - bootClock.now() : saved.aheadMs);
  }

  function save(): void {
    if (!known) return;
    file.save({
      aheadMs: serverTime.aheadMs(),
      bootId,
      bootedAtMs: serverTime.now() - bootClock.monotonic(),
      stampedMs: needs.newestSampleMs(),
    });
  }

  const timer: Timer = bootClock.every(SAVE_PERIOD_MS, save);
  return {
    serverTime,
    isKnown: () => known || bootClock.monotonic() - startedAt >= WALL_CLOCK_AFTER_MS,
    observe(serverTimeMs, roundTripMs) {
      serverTime.observe(serverTimeMs, roundTripMs);
      if (known) return;
      known = true;
      save();
    },
    newestSampleMs: saved?.stampedMs ?? 0,
    stop() {
      timer.cancel();
      save();
    },
  };
}
