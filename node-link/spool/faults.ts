import type { Logger } from '../../kernel/logger.js';

/** Logs when the disk starts to fail and when it works again, one line each. */
export interface DiskFaults {
  failed(error: unknown): void;
  /** A write succeeded. */
  succeeded(): void;
  /** Calls `work`, whose failure is only logged. */
  attempt(work: () => void): void;
}

export function createDiskFaults(logger: Logger): DiskFaults {
  let isFailing = false;

  function failed(error: unknown): void {
    if (!isFailing)
      logger.warn({ err: error }, 'spool: writing to disk failed, keeping records in memory and retrying');
    isFailing = true;
  }

  return {
    failed,
    succeeded() {
      if (isFailing) logger.info('spool: writing to disk works again');
      isFailing = false;
    },
    attempt(work) {
      try {
        work();
      } catch (error) {
        failed(error);
      }
    },
  };
}
