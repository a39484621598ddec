import type { Logger } from '../../kernel/logger.js';

/** Tells of a disk that takes nothing, once for each time it begins and ends. */
export interface DiskFaults {
  note(error: unknown): void;
  /** The disk took something. */
  over(): void;
  /** Does what may fail without harm: the fault is noted. */
  attempt(work: () => void): void;
}

export function createDiskFaults(logger: Logger): DiskFaults {
  let faulty = false;

  function note(error: unknown): void {
    if (!faulty) logger.warn({ err: error }, 'spool: the disk takes nothing, records wait in memory');
    faulty = true;
  }

  return {
    note,
    over() {
      if (faulty) logger.info('spool: the disk takes records again');
      faulty = false;
    },
    attempt(work) {
      try {
        work();
      } catch (error) {
        note(error);
      }
    },
  };
}
