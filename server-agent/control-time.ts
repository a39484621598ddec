import type { Clock, Timer } from '../kernel/clock.js';
import { createServerTime, type ServerTime } from '../node-link/server-time.js';
import type { TimeFile } from './time-file.js';

/**
 * The control plane's clock, also while it is away and over restarts. Carried by the boot clock, which nobody sets;
 * as long as the machine has not been restarted since, what was known holds whatever its wall clock says by now.
 */
export interface ControlTime {
  serverTime: ServerTime;
  /** false: nobody has told yet, and all there is is this machine's own wall clock. */
  isKnown(): boolean;
  observe(serverTimeMs: number, roundTripMs: number): void;
  /** The time of the newest report of an earlier process. */
  lastStampedMs: number;
  stop(): void;
}

const SAVE_PERIOD_MS = 60_000;
/** With no control plane and nothing known from before, the wall clock is believed after so long. */
const PATIENCE_MS = 60_000;

export function createControlTime(options: {
  file: TimeFile;
  /** Names this start of the machine; empty where the system has none. */
  bootId: string;
  /** Its `monotonic` counts from the start of the machine, or from any other moment while `bootId` is empty. */
  bootClock: Clock;
  stampedMs(): number;
}): ControlTime {
  const { file, bootId, bootClock } = options;
  const serverTime = createServerTime(bootClock);
  const began = bootClock.monotonic();
  const kept = file.load();
  let known = kept !== null;
  if (kept !== null) {
    const sameBoot = bootId !== '' && kept.bootId === bootId;
    serverTime.assume(sameBoot ? kept.bootedAtMs + bootClock.monotonic() - bootClock.now() : kept.aheadMs);
  }

  function save(): void {
    if (!known) return;
    file.save({
      aheadMs: serverTime.aheadMs(),
      bootId,
      bootedAtMs: serverTime.now() - bootClock.monotonic(),
      stampedMs: options.stampedMs(),
    });
  }

  const timer: Timer = bootClock.every(SAVE_PERIOD_MS, save);
  return {
    serverTime,
    isKnown: () => known || bootClock.monotonic() - began >= PATIENCE_MS,
    observe(serverTimeMs, roundTripMs) {
      serverTime.observe(serverTimeMs, roundTripMs);
      if (known) return;
      known = true;
      save();
    },
    lastStampedMs: kept?.stampedMs ?? 0,
    stop() {
      timer.cancel();
      save();
    },
  };
}
