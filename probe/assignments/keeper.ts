import type { Clock, Timer } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { AssignmentsFile, LastKnown } from './file.js';

/** Writes what the probe holds to its disk, seldom enough that any amount of change costs little. */
export interface AssignmentsKeeper {
  /** The set is another one. It is written soon. */
  changed(): void;
  /** Writes what is not written yet. */
  stop(): Promise<void>;
}

/** Changes of this time are written together. */
const GATHER_MS = 1_000;
/** From the end of one write to the start of the next. */
const PAUSE_MS_MIN = 5_000;
/** A write that took long is followed by a pause of so many times its duration: 2 % of the time at most. */
const PAUSE_SHARE = 50;
/** A disk that took no write is asked again after this. */
const FAILED_PAUSE_MS = 60_000;

export function createAssignmentsKeeper(options: {
  file: Pick<AssignmentsFile, 'save'>;
  known(): LastKnown;
  clock: Clock;
  logger: Logger;
}): AssignmentsKeeper {
  const { file, clock, logger } = options;
  let dirty = false;
  let complained = false;
  let stopped = false;
  let notBefore = 0;
  let timer: Timer | null = null;
  let writing: Promise<void> | null = null;

  function arm(): void {
    if (!dirty || stopped || timer !== null || writing !== null) return;
    timer = clock.after(Math.max(GATHER_MS, notBefore - clock.monotonic()), () => {
      timer = null;
      writing = write().finally(() => {
        writing = null;
        arm();
      });
    });
  }

  async function write(): Promise<void> {
    const startedAt = clock.monotonic();
    dirty = false;
    try {
      await file.save(options.known());
      complained = false;
      notBefore = clock.monotonic() + Math.max(PAUSE_MS_MIN, (clock.monotonic() - startedAt) * PAUSE_SHARE);
    } catch (error) {
      dirty = true;
      notBefore = clock.monotonic() + FAILED_PAUSE_MS;
      if (!complained) logger.warn({ err: error }, 'the assignments cannot be kept on disk, trying on each minute');
      complained = true;
    }
  }

  return {
    changed() {
      dirty = true;
      arm();
    },
    async stop() {
      stopped = true;
      timer?.cancel();
      await writing;
      if (dirty) await write();
    },
  };
}
