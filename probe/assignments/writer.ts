import type { Clock, Timer } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { AssignmentsFile, SavedAssignments } from './file.js';

/** Saves the assignments after changes, rarely enough that frequent changes cost little. */
export interface AssignmentsWriter {
  /** The assignments have changed and must be saved soon. */
  changed(): void;
  /** Saves the last change if it is not saved yet. */
  stop(): Promise<void>;
}

/** Changes within this time are saved together. */
const GROUPING_MS = 1_000;
/** Between the end of one write and the start of the next. */
const PAUSE_MS_MIN = 5_000;
/** The pause after a slow write is this many times its duration, so writes take at most 2 % of the time. */
const PAUSE_PER_WRITE = 50;
/** A failed write is retried after this time. */
const RETRY_MS = 60_000;

export function createAssignmentsWriter(needs: {
  file: Pick<AssignmentsFile, 'save'>;
  toSave(): SavedAssignments;
  clock: Clock;
  logger: Logger;
}): AssignmentsWriter {
  const { file, clock, logger } = needs;
  let dirty = false;
  let failureLogged = false;
  let stopped = false;
  let notBeforeMs = 0;
  let timer: Timer | null = null;
  let writing: Promise<void> | null = null;

  function arm(): void {
    if (!dirty || stopped || timer !== null || writing !== null) return;
    timer = clock.after(Math.max(GROUPING_MS, notBeforeMs - clock.monotonic()), () => {
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
      await file.save(needs.toSave());
      failureLogged = false;
      notBeforeMs = clock.monotonic() + Math.max(PAUSE_MS_MIN, (clock.monotonic() - startedAt) * PAUSE_PER_WRITE);
    } catch (error) {
      dirty = true;
      notBeforeMs = clock.monotonic() + RETRY_MS;
      if (!failureLogged) logger.warn({ err: error }, 'saving the assignments failed, retrying every minute');
      failureLogged = true;
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
